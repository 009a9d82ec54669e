import type { PagePart } from '../../utils/json-page.ts'
import type { RowEncoding } from './encoded-blocks.ts'

/** Compares two rows: negative if `a` comes first, positive if `b` does, zero if both have the same position. */
export type Compare<R> = (a: R, b: R) => number

/**
 * Rows in a fixed order, read by position: a list, the hits of a search, or several merged lists. Positions and sizes
 * count rows, from 0.
 *
 * @example list.search(['release', '2.1']).slice(100, 50) // hits 100 to 149
 */
export interface SortedRows<R> {
  readonly size: number

  /** The row at a position; undefined outside the list. */
  at(index: number): R | undefined

  /** A new array of at most `limit` rows, starting at `offset`. */
  slice(offset: number, limit: number): R[]

  /** Adds the encoded rows of `slice(offset, limit)` to `parts`, in order. */
  encode(offset: number, limit: number, encoding: RowEncoding<R>, parts: PagePart[]): void

  /** A new array of all rows. */
  toArray(): R[]

  /**
   * The current rows whose text contains every term. Later writes do not change a result. Terms are folded like the
   * text, not empty, and without white space. Without terms, returns the list itself.
   */
  search(terms: readonly string[]): SortedRows<R>
}
