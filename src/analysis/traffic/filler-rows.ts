import { parseInteger, parseUuid } from '../../utils/python/text.ts'
import { formatIsoTime } from '../../world/clock/clock.ts'
import { matchesTerms } from '../../world/search.ts'
import type { Assumption } from './assumption.ts'
import type { DraftLists, DraftRow } from './draft-rows.ts'
import type { Plan } from './plan.ts'
import { parentOf, type RowsSeen } from './rows-seen.ts'
import type { Sighting } from './sighting.ts'

/** More rows would make a file too long to read. */
const maxFillers = 1_000

/**
 * Adds rows that no response showed: those that a page counted, the annotations that a request could not delete, and
 * those whose responses were not recorded. Their content is made up.
 *
 * @param lists the rows of the world. Those that responses showed are already in it
 */
export function addFillers(
  seen: RowsSeen,
  lists: DraftLists,
  { more, late }: Pick<Plan, 'more' | 'late'>,
): Assumption[] {
  const ids = new FreeIds(seen, lists, late)
  const pages = seen.sightings.filter(({ list, status }) => list?.count != null && status === 200)
  const unreadParents = new Map([...seen.unread].map(([id, one]) => [id, parentOf(one)]))
  const parents = new Set([
    ...pages.map(parentOf),
    ...seen.undeleted.values(),
    ...unreadParents.values(),
  ])
  return [...parents].flatMap((parent) => {
    const named = (rows: ReadonlyMap<number, string>): number[] =>
      [...rows].flatMap(([id, of]) => (of === parent && !ids.isUsed(id) ? id : []))
    const [undeleted, unread] = [named(seen.undeleted), named(unreadParents)]
    const ofParent = pages.filter((page) => parentOf(page) === parent)
    if (ofParent.length > 0) {
      return addOfPages({ seen, lists, parent, ids, undeleted, more }, ofParent)
    }
    const add = (added: readonly number[], because: string): Assumption[] => {
      for (const id of added.filter((each) => ids.reserve(each))) {
        lists.annotations.push(createAnnotation(lists, parent, id, formatIsoTime(defaultTime)))
      }
      return added.length === 0 ? [] : [{ field: 'annotations', value: added, because }]
    }
    return [...add(undeleted, becauseUndeleted), ...add(unread, becauseUnread)]
  })
}

const becauseUndeleted =
  'DELETE gets 405 whether the row exists or not. The row is assumed, with content that is made up, so that PATCH can delete it.'
const becauseUnread =
  'A request found the row, and its response was not recorded. The content is made up.'

interface FillerContext {
  readonly seen: RowsSeen
  readonly lists: DraftLists
  readonly parent: string
  readonly ids: FreeIds
  /** The ids of annotations that no response showed, and that must exist */
  readonly undeleted: number[]
  readonly more: Plan['more']
}

/**
 * Adds the rows that pages of the whole list counted, and gives some of them the words of searches that counted them,
 * too. Without such a page, adds those of the first search.
 */
function addOfPages(context: FillerContext, pages: readonly Sighting[]): Assumption[] {
  const groups = new Map<string, Sighting[]>()
  for (const page of pages) {
    const search = page.list?.search ?? []
    // A service that finds rows without these words searches otherwise.
    if (!page.rows.every((row) => matchesSearch(row, search))) continue
    const name = search.join(' ')
    groups.set(name, [...(groups.get(name) ?? []), page])
  }
  const [first, ...searches] = [...groups.values()].sort(([a], [b]) => termCount(a) - termCount(b))
  if (!first) return []
  const { added, assumptions } = addCounted(context, first)
  for (const found of searches) nameFound(context, found, added)
  return assumptions
}

function termCount(page: Sighting | undefined): number {
  return page?.list?.search.length ?? 0
}

function matchesSearch({ content }: Readonly<Record<string, unknown>>, terms: readonly string[]) {
  return matchesTerms(typeof content === 'string' ? content : null, terms)
}

/** Gives rows that were made up the words of a search, as many as it counted and no response shows. */
function nameFound(
  context: FillerContext,
  [page]: readonly Sighting[],
  added: readonly DraftRow[],
): void {
  if (!page) return
  const terms = page.list?.search ?? []
  const free = added.filter(({ content }) => content === notShown)
  const named = free.slice(0, lackingIn(page, knownOf(context, terms), context))
  for (const row of named) row.content = terms.join(' ')
}

/** The rows of a list that are known, in its order. */
function knownOf(
  { seen: { list }, lists, parent }: FillerContext,
  terms: readonly string[],
): DraftRow[] {
  return lists[list]
    .filter((row) => row.deleted !== true && isOf(row, parent) && matchesSearch(row, terms))
    .sort(list === 'annotations' ? compareAnnotations : compareIds)
}

/** How many rows a page counted that are not known, if no request had added or removed one before. */
function lackingIn(
  page: Sighting,
  known: readonly DraftRow[],
  { seen, more }: FillerContext,
): number {
  const counted = (page.list?.count ?? 0) + (more.get(listOf(page, seen)) ?? 0)
  return Math.max(0, counted - known.length)
}

/** The name of the list, or of the search, that a request read. */
export function listOf(page: Sighting, { list }: RowsSeen): string {
  return [list, parentOf(page), ...(page.list?.search ?? [])].join(' ')
}

/** Adds the rows that pages counted and did not show: between those that they show, or after all. */
function addCounted(
  context: FillerContext,
  pages: readonly Sighting[],
): { readonly added: readonly DraftRow[]; readonly assumptions: Assumption[] } {
  const { seen, lists, parent, ids, undeleted } = context
  const [first] = pages as [Sighting]
  const terms = first.list?.search ?? []
  const listed = knownOf(context, terms)
  const rankOf = new Map(listed.map(({ id }, rank) => [Number(id), rank]))
  const total = lackingIn(first, listed, context)
  if (total === 0) return { added: [], assumptions: [] }
  /** How many fillers precede the known row of a rank. */
  const before = new Map<number, number>()
  for (const page of pages.filter(({ list }) => list?.count === first.list?.count)) {
    const [rank] = page.rows.flatMap(({ id }) => rankOf.get(Number(id)) ?? [])
    const offset = page.list?.offset ?? 0
    if (rank !== undefined && offset > rank) before.set(rank, Math.min(offset - rank, total))
  }
  const added: DraftRow[] = []
  const fill = (rank: number, size: number): void => {
    const count = Math.min(size, maxFillers - added.length)
    for (let index = 0; index < count; index += 1) {
      const [upper, lower] = [listed[rank - 1], listed[rank]]
      const row = createFiller(context, { upper, lower, share: (index + 1) / (count + 1) })
      added.push(terms.length > 0 ? { ...row, content: terms.join(' ') } : row)
    }
  }
  let placed = 0
  for (const [rank, count] of [...before].sort(([a], [b]) => a - b)) {
    fill(rank, count - placed)
    placed = Math.max(placed, count)
  }
  fill(listed.length, total - placed)
  lists[seen.list].push(...added)
  for (const id of undeleted) ids.reserve(id)
  const value = added.map(({ id }) => id)
  const because = describe(seen, parent, total, added.length)
  return { added, assumptions: [{ field: seen.list, value, because }] }
}

function describe({ list }: RowsSeen, parent: string, total: number, added: number): string {
  const where = list === 'annotations' ? `project ${parent}` : `organization ${parent}`
  const rows = total === 1 ? 'row' : 'rows'
  const counted = `The list of ${where} counted ${total} more ${rows} than the responses show.`
  if (added === total) return `${counted} ${total === 1 ? 'Its' : 'Their'} content is made up.`
  return `${counted} ${added} of them are in the world, with content that is made up. The other ${total - added} are not, because at most ${maxFillers} are made up.`
}

/** Between which rows a row is created. */
interface Place {
  readonly upper: DraftRow | undefined
  readonly lower: DraftRow | undefined
  /** How far from the upper to the lower one, from 0 to 1 */
  readonly share: number
}

function createFiller(
  { seen, lists, parent, ids, undeleted }: FillerContext,
  { upper, lower, share }: Place,
): DraftRow {
  if (seen.list === 'plugins') {
    const id = ids.takeBetween(
      Number(upper?.id ?? 0),
      Number(lower?.id ?? Number.POSITIVE_INFINITY),
    )
    return createPlugin(id, parseUuid(parent) ?? lists.organizations[0]?.id)
  }
  const date = dateBetween(upper, lower, share)
  const above = upper && upper.date_marker === date ? Number(upper.id) : Number.POSITIVE_INFINITY
  const below = lower && lower.date_marker === date ? Number(lower.id) : 0
  const isTied = above < Number.POSITIVE_INFINITY || below > 0
  const id = isTied ? ids.takeBetween(below, above) : (undeleted.shift() ?? ids.takeBetween(0))
  ids.reserve(id)
  return createAnnotation(lists, parent, id, date)
}

const notShown = 'Not shown in the traffic'

function createAnnotation(
  { users, projects }: DraftLists,
  parent: string,
  id: number,
  date_marker: string | null,
): DraftRow {
  const time = date_marker ?? '2024-01-01T00:00:00Z'
  return {
    id,
    content: notShown,
    date_marker,
    ...{ creation_type: 'USR', dashboard_item: null, created_by: users[0]?.id ?? null },
    ...{ created_at: time, updated_at: time, deleted: false, scope: 'project' },
    project: parseInteger(parent) ?? projects[0]?.id,
  }
}

/** A plugin of which only the id is known. */
export function createPlugin(id: number, organization: unknown): DraftRow {
  return {
    ...{ id, plugin_type: 'local', name: `Plugin ${id}`, description: null, url: null },
    ...{ icon: null, config_schema: {}, tag: null, latest_tag: null, is_global: false },
    ...{ organization, capabilities: {}, metrics: {}, public_jobs: {} },
  }
}

const day = 86_400_000

/** A time between those of two rows, the first of which is newer. Rows without a time come first. */
function dateBetween(
  upper: DraftRow | undefined,
  lower: DraftRow | undefined,
  share: number,
): string | null {
  const [newer, older] = [upper, lower].map((row) =>
    typeof row?.date_marker === 'string' ? Date.parse(row.date_marker) : null,
  )
  if (lower && older === null) return null
  if (newer == null && older == null) return upper ? formatIsoTime(defaultTime - share * day) : null
  const from = newer ?? (older as number) + day
  const to = older ?? (newer as number) - day
  const time = Math.round(from - (from - to) * share)
  if (time < from && time > to) return formatIsoTime(time)
  return (upper?.date_marker ?? lower?.date_marker) as string
}

const defaultTime = Date.parse('2024-01-01T00:00:00Z')

/** Newest date_marker first, rows without one before all others, and equal ones by descending id. */
function compareAnnotations(a: DraftRow, b: DraftRow): number {
  const [first, second] = [a, b].map(({ date_marker: time }) =>
    typeof time === 'string' ? Date.parse(time) : Number.POSITIVE_INFINITY,
  ) as [number, number]
  if (first !== second) return first > second ? -1 : 1
  return Number(b.id) - Number(a.id)
}

function compareIds(a: DraftRow, b: DraftRow): number {
  return Number(a.id) - Number(b.id)
}

/** Whether the list of a project or an organization has a row. */
function isOf(row: DraftRow, parent: string): boolean {
  if (row.scope === 'organization' || row.is_global === true) return true
  return String(row.project ?? row.organization) === String(parseInteger(parent) ?? parent)
}

/** Ids that no response and no path used. */
class FreeIds {
  readonly #used: Set<number>

  constructor({ list, shown, created, missing }: RowsSeen, lists: DraftLists, late: Plan['late']) {
    const known = lists[list].map(({ id }) => Number(id))
    const added = [...late.keys()].flatMap((name) =>
      name.startsWith(`${list}/`) ? Number(name.split('/')[1]) : [],
    )
    this.#used = new Set([...shown.keys(), ...known, ...created, ...missing, ...added])
  }

  isUsed(id: number): boolean {
    return this.#used.has(id)
  }

  /** @returns false if the id is used */
  reserve(id: number): boolean {
    if (this.#used.has(id)) return false
    this.#used.add(id)
    return true
  }

  /** An id between two others, or any free one if no free id is between them. */
  takeBetween(least: number, most = Number.POSITIVE_INFINITY): number {
    for (let id = least + 1; id < most; id += 1) if (this.reserve(id)) return id
    return this.takeBetween(0)
  }
}
