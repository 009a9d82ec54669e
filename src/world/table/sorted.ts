/** Compares two rows: negative if `a` comes first, positive if `b` does, zero if both have the same position. */
export type Compare<R> = (a: R, b: R) => number

/**
 * Rows in a fixed order, read by position: a list, the hits of a search, or several merged lists. Positions and sizes
 * count rows, from 0.
 *
 * @example
 * const page = list.search(['release', '2.1']).slice(100, 50) // hits 100 to 149
 */
export interface SortedRows<R> {
  /** The exact number of rows. */
  readonly size: number

  /** The row at a position; undefined outside the list. */
  at(index: number): R | undefined

  /** A new array of at most `limit` rows, starting at `offset`. */
  slice(offset: number, limit: number): R[]

  /** A new array of all rows. */
  toArray(): R[]

  /**
   * The current rows whose text contains every term. Later writes do not change a result. Terms are folded like the
   * text, not empty, and without white space. Without terms, returns the list itself.
   */
  search(terms: readonly string[]): SortedRows<R>
}

/**
 * Finds the first index from `from` up to but not including `to` for which `holds` is true, else returns `to`. `holds`
 * must be monotonic: after the first true, all further values are true.
 *
 * @example
 * bisect(0, ids.length, (index) => ids[index] >= 42) // the position of 42, or where to insert it
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
