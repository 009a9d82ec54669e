import { parseInteger, parseUuid } from '../../utils/python/text.ts'
import { formatIsoTime } from '../../world/clock/clock.ts'
import type { Assumption } from './assumption.ts'
import type { DraftLists, DraftRow } from './draft-rows.ts'
import { collectPages, type SeenPages } from './pages-seen.ts'
import type { RowHistory } from './row-history.ts'
import {
  type CompareRows,
  compareAnnotations,
  compareIds,
  findGaps,
  isVisible,
  matches,
} from './seen-lists.ts'
import type { Sighting } from './sighting.ts'

/** More rows would make a file too long to read. */
const maxUnseenRows = 1_000

/**
 * Adds the rows that lists counted and no response showed, where no page that was seen would show them, and the
 * annotations that a request could not delete.
 *
 * @param lists the rows of the world. Those of the history are already in it
 */
export function addUnseenRows(
  history: RowHistory,
  sightings: readonly Sighting[],
  lists: DraftLists,
): Assumption[] {
  const compare = history.list === 'annotations' ? compareAnnotations : compareIds
  const all = collectPages(history, sightings, compare)
  const ids = new FreeIds(history, lists)
  const assumptions: Assumption[] = []
  const { undeleted, unread } = history
  const parents = [...all.map(({ parent }) => parent), ...undeleted.values(), ...unread.values()]
  for (const parent of new Set(parents)) {
    const ofParent = all.filter((each) => each.parent === parent && each.unmatched.size === 0)
    const rows = new UnseenRows(history, lists, parent, compare, ids)
    assumptions.push(
      ...rows.add(ofParent),
      ...rows.addUndeleted(ofParent),
      ...rows.addUnread(ofParent),
    )
  }
  return [...assumptions, ...all.flatMap((pages) => describeUnmatched(history, pages))]
}

/** A search of the service that finds other rows than ours says nothing about rows that no response shows. */
function describeUnmatched({ list }: RowHistory, { parent, search, unmatched }: SeenPages) {
  if (unmatched.size === 0) return []
  const because = `The service searches otherwise: in project ${parent}, the search for "${search.join(' ')}" shows rows without these words. It does not say which rows are missing.`
  return [{ field: list, value: [...unmatched], because }]
}

/** The rows of one project or organization that no response showed. */
class UnseenRows {
  readonly #history: RowHistory
  readonly #lists: DraftLists
  readonly #parent: string
  readonly #compare: CompareRows
  readonly #ids: FreeIds
  /** The ids of annotations that a request could not delete, and that no response showed */
  readonly #undeleted: number[]

  constructor(
    history: RowHistory,
    lists: DraftLists,
    parent: string,
    compare: CompareRows,
    ids: FreeIds,
  ) {
    this.#history = history
    this.#lists = lists
    this.#parent = parent
    this.#compare = compare
    this.#ids = ids
    this.#undeleted = [...history.undeleted].flatMap(([id, project]) =>
      project === parent && ids.reserve(id) ? id : [],
    )
  }

  /** Adds those that are not among the rows of `add`. The count of a list would have them, so a list must not be seen. */
  addUndeleted(all: readonly SeenPages[]): Assumption[] {
    const searches = all.map(({ search }) => search)
    const isListed = searches.some(({ length }) => length === 0)
    const added = isListed ? [] : this.#undeleted
    const place = { content: neutralContent(searches), date_marker: formatIsoTime(defaultTime) }
    for (const id of added) this.#lists.annotations.push(this.#createAnnotation({ id, ...place }))
    if (added.length === 0) return []
    const because =
      'DELETE gets 405 whether the row exists or not. The row is assumed, with content that is made up, so that PATCH can delete it.'
    return [{ field: 'annotations', value: added, because }]
  }

  /** Adds those that a response without a recorded body shows, unless a list shows which rows there are. */
  addUnread(all: readonly SeenPages[]): Assumption[] {
    if (all.some(({ search }) => search.length === 0)) return []
    const ids = [...this.#history.unread].flatMap(([id, project]) =>
      project === this.#parent && this.#ids.reserve(id) ? id : [],
    )
    const place = {
      content: neutralContent(all.map(({ search }) => search)),
      date_marker: formatIsoTime(defaultTime),
    }
    for (const id of ids) this.#lists.annotations.push(this.#createAnnotation({ id, ...place }))
    if (ids.length === 0) return []
    const because =
      'A request found the row, and its response was not recorded. The content is made up.'
    return [{ field: 'annotations', value: ids, because }]
  }

  /** @param all the pages without a search and with each search */
  add(all: readonly SeenPages[]): Assumption[] {
    const list = this.#lists[this.#history.list]
    const searches = all.map(({ search }) => search).filter(({ length }) => length > 0)
    const added: DraftRow[] = []
    let missing = 0
    // A row that a search found is one of the rows that the list counts.
    const ordered = [...all].sort((a, b) => b.search.join().length - a.search.join().length)
    const whole = all.find(({ search }) => search.length === 0)
    for (const { search, pages } of ordered) {
      const known = this.#knownRows().filter((row) => matches(row, search))
      const gaps = findGaps(
        known.map(({ id }) => Number(id)),
        pages,
      )
      let left = gaps.misplaced
      for (const [at, size] of gaps.sizes.entries()) {
        const count = Math.min(size, maxUnseenRows - added.length)
        if (size === 0) continue
        left += size - count
        const content = search.length > 0 ? search.join(' ') : neutralContent(searches)
        const open =
          search.length > 0 && whole ? this.#openBetween(whole, known[at - 1], known[at]) : null
        const [upper, lower] = open ?? [known[at - 1], known[at]]
        for (let index = 0; index < count; index++) {
          const row = this.#createRow({ upper, lower, index, count, content })
          list.push(row)
          added.push(row)
        }
      }
      // The rows that a search counts are among those of the whole list, which is the last one.
      missing = search.length > 0 ? Math.max(missing, left) : left
    }
    return this.#describe(added, missing)
  }

  /** The rows of the list before the first request, in its order. */
  #knownRows(): DraftRow[] {
    const { list } = this.#history
    return this.#lists[list]
      .filter((row) => row.deleted !== true)
      .filter((row) => isVisible(row, String(row.project ?? row.organization), this.#parent))
      .sort(this.#compare)
  }

  /** Two rows of the whole list with room between them, within two rows of a search. */
  #openBetween(
    { pages }: SeenPages,
    upper: DraftRow | undefined,
    lower: DraftRow | undefined,
  ): [DraftRow | undefined, DraftRow | undefined] | null {
    const known = this.#knownRows()
    const { sizes } = findGaps(
      known.map(({ id }) => Number(id)),
      pages,
    )
    const from = upper ? known.indexOf(upper) + 1 : 0
    const to = lower ? known.indexOf(lower) : known.length
    const at = sizes.findIndex((size, index) => size > 0 && index >= from && index <= to)
    return at < 0 ? null : [known[at - 1], known[at]]
  }

  #createRow({ upper, lower, index, count, content }: Place): DraftRow {
    const isPlugin = this.#history.list === 'plugins'
    const share = (index + 1) / (count + 1)
    const date_marker = isPlugin ? null : dateBetween(upper, lower, share)
    const isTied = (row: DraftRow | undefined): boolean =>
      row !== undefined && row.date_marker === date_marker
    const idBelow = isTied(lower) ? Number(lower?.id) : 0
    const id = isPlugin
      ? this.#ids.takeBetween(Number(upper?.id ?? 0), Number(lower?.id ?? Infinity))
      : isTied(upper)
        ? this.#ids.takeBetween(idBelow, Number(upper?.id))
        : idBelow > 0
          ? this.#ids.takeBetween(idBelow, Infinity)
          : (this.#undeleted.shift() ?? this.#ids.take())
    if (isPlugin) {
      return createPlugin(id, parseUuid(this.#parent) ?? this.#lists.organizations[0]?.id)
    }
    return this.#createAnnotation({ id, content, date_marker })
  }

  #createAnnotation(fields: Pick<DraftRow, 'id' | 'content' | 'date_marker'>): DraftRow {
    const { date_marker } = fields
    const time = typeof date_marker === 'string' ? date_marker : '2024-01-01T00:00:00Z'
    return {
      ...fields,
      creation_type: 'USR',
      dashboard_item: null,
      created_by: this.#lists.users[0]?.id ?? null,
      created_at: time,
      updated_at: time,
      deleted: false,
      scope: 'project',
      project: parseInteger(this.#parent) ?? this.#lists.projects[0]?.id,
    }
  }

  #describe(added: readonly DraftRow[], missing: number): Assumption[] {
    const { list } = this.#history
    const where =
      list === 'annotations' ? `project ${this.#parent}` : `organization ${this.#parent}`
    const ids = added.map(({ id }) => id)
    const total = added.length + missing
    const rows = total === 1 ? 'row' : 'rows'
    const reason =
      added.length >= maxUnseenRows
        ? `at most ${maxUnseenRows} are made up`
        : 'no place for them agrees with the pages that were seen'
    if (total === 0) return []
    if (added.length === 0) {
      const because = `The list of ${where} counted ${missing} ${rows} that are not in the world, because ${reason}.`
      return [{ field: list, value: missing, because }]
    }
    const counted = `The list of ${where} counted ${total} more ${rows} than the responses show.`
    const rest =
      missing === 0
        ? `${total === 1 ? 'Its' : 'Their'} content is made up.`
        : `${added.length} of them are in the world, with content that is made up. The other ${missing} are not, because ${reason}.`
    return [{ field: list, value: ids, because: `${counted} ${rest}` }]
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

/** Between which rows a row is created. */
interface Place {
  readonly upper: DraftRow | undefined
  readonly lower: DraftRow | undefined
  readonly index: number
  readonly count: number
  readonly content: string | null
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

/** A content that no search finds. */
function neutralContent(searches: readonly (readonly string[])[]): string | null {
  const content = 'Not shown in the traffic'
  return searches.some((search) => matches({ content }, search)) ? null : content
}

/** Ids that no response and no path used. */
class FreeIds {
  readonly #used: Set<number>
  #next = 1

  constructor({ list, initial, created, missing }: RowHistory, lists: DraftLists) {
    this.#used = new Set([
      ...initial.map(({ id }) => id),
      ...lists[list].map(({ id }) => Number(id)),
      ...created,
      ...missing,
    ])
  }

  /** @returns false if the id is used */
  reserve(id: number): boolean {
    if (this.#used.has(id)) return false
    this.#used.add(id)
    return true
  }

  take(): number {
    while (this.#used.has(this.#next)) this.#next += 1
    this.#used.add(this.#next)
    return this.#next
  }

  /** An id between two others, or any free one if no free id is between them. */
  takeBetween(least: number, most: number): number {
    for (let id = least + 1; id < most; id++) {
      if (this.#used.has(id)) continue
      this.#used.add(id)
      return id
    }
    return this.take()
  }
}
