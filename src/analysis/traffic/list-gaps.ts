import type { SeenList } from './sighting.ts'

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
