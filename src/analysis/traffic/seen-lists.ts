import { parseInteger, parseUuid } from '../../utils/python/text.ts'
import { foldText } from '../../world/search.ts'
import type { SeenList, Sighting } from './sighting.ts'

/** The fields by which lists are sorted. */
type Sortable = Readonly<Record<string, unknown>>

/** Compares two rows as their list sorts them. */
export type CompareRows = (a: Sortable, b: Sortable) => number

/** Newest date_marker first, rows without one before all others, and equal ones by descending id. */
export function compareAnnotations(a: Sortable, b: Sortable): number {
  if (a.date_marker === b.date_marker) return Number(b.id) - Number(a.id)
  const [first, second] = [a.date_marker, b.date_marker].map((time) =>
    typeof time === 'string' ? Date.parse(time) : Number.POSITIVE_INFINITY,
  ) as [number, number]
  if (first !== second) return first > second ? -1 : 1
  const [one, other] = [String(a.date_marker), String(b.date_marker)]
  if (one !== other) return one > other ? -1 : 1
  return Number(b.id) - Number(a.id)
}

export function compareIds(a: Sortable, b: Sortable): number {
  return Number(a.id) - Number(b.id)
}

/** Whether the list of a project or an organization has a row that belongs to another one, or to it. */
export function isVisible(
  row: Readonly<Record<string, unknown>>,
  owner: string | undefined,
  parent: string,
): boolean {
  if (row.scope === 'organization' || row.is_global === true) return true
  return owner === undefined || normalizeParent(owner) === normalizeParent(parent)
}

function normalizeParent(text: string): string {
  return String(parseInteger(text) ?? parseUuid(text) ?? text)
}

/** Whether a row is among the results of a search. */
export function matches(
  row: Readonly<Record<string, unknown>>,
  search: readonly string[],
): boolean {
  if (search.length === 0) return true
  const folded = typeof row.content === 'string' ? foldText(row.content) : ''
  return search.every((term) => folded.includes(term))
}

/** A page of a list, in terms of the rows that existed before the first request. */
export interface SeenPage {
  /** The ids of its rows that existed then, in their order */
  readonly ids: readonly number[]
  /** How many of the rows that existed then precede the page */
  readonly start: number
  /** How many rows the list had then */
  readonly count: number
  /** Whether no row precedes or follows those of the page */
  readonly isFirst: boolean
  readonly isLast: boolean
}

/**
 * The gaps between the known rows of a list, in which rows that no response showed must be: gap `i` precedes the known
 * row `i`, and the last gap follows all of them.
 */
interface ListGaps {
  /** How many unseen rows are in each gap */
  readonly sizes: readonly number[]
  /** How many rows are counted, but have no place that agrees with all pages */
  readonly misplaced: number
}

/**
 * Distributes the rows that were counted and not shown. A page leaves no room between its rows, and its offset says how
 * many rows precede it.
 *
 * @param known the ids of the known rows in the order of the list
 * @param pages at least one
 */
export function findGaps(known: readonly number[], pages: readonly SeenPage[]): ListGaps {
  const rankOf = new Map(known.map((id, rank) => [id, rank]))
  const isOpen = Array.from({ length: known.length + 1 }, () => true)
  const close = (from: number, to: number): void => {
    isOpen.fill(false, Math.max(0, from), to)
  }
  // How many unseen rows precede the known row of a rank.
  const before = new Map<number, number>([[0, 0]])
  for (const { ids, start, isFirst, isLast } of pages) {
    const ranks = ids.flatMap((id) => rankOf.get(id) ?? [])
    const [first, last] = [ranks[0], ranks.at(-1)]
    if (first === undefined || last === undefined) continue
    close(first + 1, last + 1)
    if (isFirst) close(0, first + 1)
    if (isLast) close(last + 1, known.length + 1)
    if (!before.has(first + 1)) before.set(first + 1, Math.max(0, start - first))
  }
  const total = Math.max(0, (pages[0]?.count ?? 0) - known.length)
  const sizes = isOpen.map(() => 0)
  const marks = [...before].sort(([a], [b]) => a - b).filter(([rank]) => rank > 0)
  marks.push([known.length + 1, total])
  let [placed, from, misplaced] = [0, 0, 0]
  for (const [to, expected] of marks) {
    const missing = Math.min(expected, total) - placed
    const at = isOpen.indexOf(true, from)
    if (missing > 0 && at >= 0 && at < to) {
      // The last open gap of the range is the farthest from the rows that a client read first.
      const open = to === known.length + 1 ? isOpen.lastIndexOf(true) : at
      sizes[open] = (sizes[open] as number) + missing
      placed += missing
    } else if (missing > 0 && to === known.length + 1) misplaced += missing
    from = to
  }
  return { sizes, misplaced }
}

/** Whether a page says how many rows its list has. */
export function isCounted(list: SeenList | null): list is SeenList & { readonly count: number } {
  return list !== null && list.count !== null
}

/** Whether a later response shows all rows of the list that a create would have added to. */
export function isWholeList({ list, rows, params }: Sighting, create: Sighting): boolean {
  const isSameParent =
    params.project_id === create.params.project_id &&
    params.organization_id === create.params.organization_id
  return isSameParent && list?.count === rows.length && list.search.length === 0
}
