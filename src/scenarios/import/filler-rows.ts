import { formatCount } from '../../utils/count.ts'
import { parseInteger, parseUuid } from '../../utils/python.ts'
import { formatIsoTime } from '../../world/clock/clock.ts'
import { matchesTerms } from '../../world/search.ts'
import { type DraftLists, type DraftRow, toDraft } from './draft-rows.ts'
import type { Observation } from './observation.ts'
import { parentOf, type RowsSeen } from './rows-seen.ts'
import type { UnseenChanges } from './unseen-changes.ts'

/** More rows would make a file too long to read. */
const maxFillers = 1_000

/**
 * Adds rows that no response showed: those that a page counted, the annotations that a request could not delete, and
 * those whose responses were not recorded.
 *
 * @param lists the rows of the world. Those that responses showed are already in it
 * @returns what is made up, in sentences
 */
export function addFillers(seen: RowsSeen, lists: DraftLists, unseen: UnseenChanges): string[] {
  const ids = new FreeIds(seen, lists, unseen.addedLater)
  const pages = seen.observations.filter(
    ({ page, status, rows }) =>
      // A service that finds rows without these words searches otherwise.
      page?.count != null && status === 200 && rows.every((row) => matches(row, page.search)),
  )
  const unread = new Map([...seen.unread].map(([id, observation]) => [id, parentOf(observation)]))
  const named = new Map([...seen.undeleted, ...unread])
  return [...new Set([...pages.map(parentOf), ...named.values()])].flatMap((parent) => {
    const unshownIds = [...named].flatMap(([id, of]) =>
      of === parent && !ids.isUsed(id) ? id : [],
    )
    const unplaced = lists.annotations.filter((row) => {
      const isUnknown = seen.shown.get(Number(row.id))?.unknown.has('date_marker')
      return seen.list === 'annotations' && isUnknown && row.deleted !== true && isOf(row, parent)
    })
    const context = { seen, lists, parent, ids, unshownIds, unplaced, unseen }
    // Without a page of the whole list, a search counts.
    const [page] = pages
      .filter((observation) => parentOf(observation) === parent)
      .sort((a, b) => termsOf(a).length - termsOf(b).length)
    if (page) return addCounted(context, page, pages)
    for (const id of unshownIds) if (ids.reserve(id)) addNamed(context, id)
    const what = `${unshownIds.join(', ')} of ${seen.list}`
    return unshownIds.length === 0
      ? []
      : [`The content of ${what} is made up: requests name them, and no response shows them.`]
  })
}

interface FillerContext {
  readonly seen: RowsSeen
  readonly lists: DraftLists
  readonly parent: string
  readonly ids: FreeIds
  /** The ids of annotations that requests named, and no response showed */
  readonly unshownIds: number[]
  /** Rows of the list of which nothing shows where in it they were */
  readonly unplaced: DraftRow[]
  readonly unseen: UnseenChanges
}

function addNamed({ lists, parent }: FillerContext, id: number): void {
  lists.annotations.push(createAnnotation(lists, parent, id, formatIsoTime(defaultTime), notShown))
}

function termsOf(page: Observation): readonly string[] {
  return page.page?.search ?? []
}

function matches({ content }: Readonly<Record<string, unknown>>, terms: readonly string[]) {
  return matchesTerms(typeof content === 'string' ? content : null, terms)
}

/** The name of the list, or of the search, that a request read. */
export function listOf(page: Observation, { list }: RowsSeen): string {
  return [list, parentOf(page), ...termsOf(page)].join(' ')
}

/** Adds the rows that pages counted and did not show: between those that they show, or after all. */
function addCounted(
  context: FillerContext,
  first: Observation,
  pages: readonly Observation[],
): string[] {
  const { seen, lists, parent, ids, unshownIds, unplaced, unseen } = context
  const terms = termsOf(first)
  const listed = lists[seen.list]
    .filter((row) => row.deleted !== true && isOf(row, parent) && matches(row, terms))
    .filter((row) => !unplaced.includes(row))
    .sort(seen.list === 'annotations' ? compareAnnotations : compareIds)
  const rankOf = new Map(listed.map(({ id }, rank) => [Number(id), rank]))
  const name = listOf(first, seen)
  const counted = (first.page?.count ?? 0) + (unseen.missingCounts.get(name) ?? 0)
  const total = counted - countAdded(first, seen, unseen) - listed.length
  if (total <= 0) return []
  /** How many fillers precede the known row of a rank. */
  const before = new Map<number, number>([[listed.length, total]])
  /** How many rows others have removed in front of the pages so far. */
  let shift = 0
  for (const page of pages.filter((observation) => listOf(observation, seen) === name)) {
    shift += unseen.shifts.get(page.index) ?? 0
    const [rank] = page.rows.flatMap(({ id }) => rankOf.get(Number(id)) ?? [])
    const removed = removedBetween(first, page, seen).flatMap((id) => rankOf.get(id) ?? [])
    const inFront = removed.filter((other) => rank !== undefined && other < rank).length
    const offset = (page.page?.offset ?? 0) + shift + inFront
    const isSame = shift !== 0 || page.page?.count === (first.page?.count ?? 0) - removed.length
    if (isSame && rank !== undefined && offset > rank) {
      before.set(rank, Math.min(offset - rank, total))
    }
  }
  let placed = 0
  const last = Math.max(0, ...first.rows.map(({ id }) => Number(id)))
  const movable = unplaced.length
  for (const [rank, count] of [...before].sort(([a], [b]) => a - b)) {
    const [upper, lower] = [listed[rank - 1], listed[rank]]
    for (; placed < Math.min(count, maxFillers); placed += 1) {
      const row = unplaced.shift()
      const filler = row ?? createFiller(context, upper, lower, terms.join(' ') || notShown, last)
      if (row) row.date_marker = dateBetween(upper, lower)
      else if (filler) lists[seen.list].push(filler)
      else break
    }
  }
  for (const id of unshownIds) ids.reserve(id)
  const count = total - (movable - unplaced.length)
  if (count <= 0) return []
  const where = seen.list === 'annotations' ? `project ${parent}` : `organization ${parent}`
  return [
    `The list of ${where} counted ${formatCount(count, 'row')} that no response shows. The world has ${placed - total + count} of them, with content that is made up.`,
  ]
}

/** The ids of the rows that requests removed between two pages. */
function removedBetween(first: Observation, page: Observation, { observations }: RowsSeen) {
  const [from, to] = [first, page].map((observation) => observations.indexOf(observation))
  const removed = new Set<number>()
  for (const { verb, status, sent, params } of observations.slice(from, to)) {
    if (status >= 300 || status === 0) continue
    if (verb === 'delete' || sent?.deleted === true) removed.add(Number(params.id))
    else if (sent?.deleted === false) removed.delete(Number(params.id))
  }
  return [...removed]
}

/** How many rows came to a list between the first request and a page of it, less those that went. */
function countAdded(
  page: Observation,
  seen: RowsSeen,
  { addedLater, tookEffect }: UnseenChanges,
): number {
  const at = seen.observations.indexOf(page)
  const ofOthers = [...addedLater].filter(([name, { by, before }]) => {
    const position = seen.observations.findIndex(({ index }) => index === before)
    return name.startsWith(`${seen.list}/`) && by === null && position >= 0 && position <= at
  })
  const counts = seen.observations.slice(0, at).map((observation) => {
    const { verb, status, index, sent } = observation
    if (parentOf(observation) !== parentOf(page)) return 0
    if (verb === 'create') {
      const isCreated = status === 201 || tookEffect.has(index)
      return Number(isCreated && matches(sent ?? {}, termsOf(page)))
    }
    return verb === 'delete' && status === 204 ? -1 : 0
  })
  return counts.reduce((sum, count) => sum + count, ofOthers.length)
}

/** Creates a row between two others. Null for a plugin if there is no id for it. @param last the highest id of the first page */
function createFiller(
  { seen, lists, parent, ids, unshownIds }: FillerContext,
  upper: DraftRow | undefined,
  lower: DraftRow | undefined,
  content: string,
  last: number,
): DraftRow | null {
  if (seen.list === 'plugins') {
    const id = lower
      ? ids.findBetween(Number(upper?.id ?? 0), Number(lower.id))
      : ids.findLast(last, Number(upper?.id ?? 0))
    if (id === undefined) return null
    ids.reserve(id)
    return createPlugin(id, parseUuid(parent) ?? lists.organizations[0]?.id)
  }
  const date = dateBetween(upper, lower)
  const above = upper && upper.date_marker === date ? Number(upper.id) : Number.POSITIVE_INFINITY
  const below = lower && lower.date_marker === date ? Number(lower.id) : 0
  const isTied = above < Number.POSITIVE_INFINITY || below > 0
  const id = isTied ? ids.takeBetween(below, above) : (unshownIds.shift() ?? ids.takeBetween(0))
  ids.reserve(id)
  return createAnnotation(lists, parent, id, date, content)
}

export const notShown = 'Not shown in the traffic'

function createAnnotation(
  { users, projects }: DraftLists,
  parent: string,
  id: number,
  date_marker: string | null,
  content: string,
): DraftRow {
  const time = date_marker ?? formatIsoTime(defaultTime)
  const times = { date_marker, created_at: time, updated_at: time }
  const facts = { creation_type: 'USR', scope: 'project', created_by: users[0]?.id ?? null }
  const project = parseInteger(parent) ?? projects[0]?.id
  return toDraft('annotations', { id, content, ...times, ...facts }, { project })
}

/** A plugin of which only the id is known. */
export function createPlugin(id: number, organization: unknown): DraftRow {
  return toDraft('plugins', { id, plugin_type: 'local', name: `Plugin ${id}` }, { organization })
}

const day = 86_400_000

/** A time between those of two rows, the first of which is newer, or that of the second. Rows without a time come first. */
function dateBetween(upper: DraftRow | undefined, lower: DraftRow | undefined): string | null {
  const [newer, older] = [upper, lower].map((row) =>
    typeof row?.date_marker === 'string' ? Date.parse(row.date_marker) : null,
  )
  if (!lower) return formatIsoTime(newer == null ? defaultTime : newer - day)
  if (older == null) return null
  return newer == null || newer > older + 1 ? formatIsoTime(older + 1) : String(lower.date_marker)
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
  /** The lowest id of a row that came after the first request. Infinite if none did */
  readonly next: number

  constructor(
    { list, shown, created, missing }: RowsSeen,
    lists: DraftLists,
    addedLater: UnseenChanges['addedLater'],
  ) {
    const known = lists[list].map(({ id }) => Number(id))
    const added = [...addedLater.keys()].flatMap((name) =>
      name.startsWith(`${list}/`) ? Number(name.split('/')[1]) : [],
    )
    this.next = Math.min(...created, ...added)
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

  /** The lowest free id between two others. Undefined if there is none */
  findBetween(least: number, most = Number.POSITIVE_INFINITY): number | undefined {
    for (let id = least + 1; id < most; id += 1) if (!this.#used.has(id)) return id
    return undefined
  }

  /** The highest free id before the first request, above another: ids are counted up. @param known the highest known one */
  findLast(least: number, known: number): number | undefined {
    if (this.next === Number.POSITIVE_INFINITY) return this.findBetween(known)
    for (let id = this.next - 1; id > least; id -= 1) if (!this.#used.has(id)) return id
    return undefined
  }

  /** An id between two others, or any free one if no free id is between them. */
  takeBetween(least: number, most?: number): number {
    const id = this.findBetween(least, most) ?? (this.findBetween(0) as number)
    this.#used.add(id)
    return id
  }
}
