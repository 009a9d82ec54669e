/** Says which row comes first: below zero `a`, above zero `b`; zero where both have one place. */
export type Compare<R> = (a: R, b: R) => number

/**
 * Rows in a fixed order, read by position: a list, the hits of a search, several lists at once.
 * Positions and counts are in rows, from 0.
 *
 * @example
 * const page = list.search(['release', '2.1']).slice(100, 50) // hits 100 to 149
 */
export interface SortedRows<R> {
  /** The exact number of rows. */
  readonly size: number

  /** The row at a position; undefined outside the list. */
  at(index: number): R | undefined

  /** A new array of `limit` rows from `offset` on, or what there is of them. Infinity: to the end. */
  slice(offset: number, limit: number): R[]

  /**
   * The rows whose text holds every term, as they are now: later writes do not change a result.
   * Terms are folded as the text is, not empty, and without white space. No terms: the list itself.
   */
  search(terms: readonly string[]): SortedRows<R>
}

/**
 * The first index from `from` up to but not including `to` where `holds` is true, else `to`.
 * `holds` must stay true once it is.
 *
 * @example
 * bisect(0, ids.length, (index) => ids[index] >= 42) // where 42 is, or belongs
 */
export function bisect(from: number, to: number, holds: (index: number) => boolean): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
