import type { PagePart } from '../../utils/json-page.ts'
import { bisect } from './chunk.ts'
import type { RowEncoding } from './encoded-blocks.ts'
import { type Compare, OrderedList, type SortedRows } from './ordered-list.ts'

/**
 * Reads several lists as one, in order and with exact sizes, without copying them: a write to a list is visible at
 * once. All lists are ordered by `compare`, and no row is in two of them.
 *
 * @example
 * const visible = mergeSorted([rowsOfProject, rowsOfOrganization], newestFirst)
 * visible.slice(90_000, 100) // as fast as the first page
 */
export function mergeSorted<R>(
  lists: readonly SortedRows<R>[],
  compare: Compare<R>,
): SortedRows<R> {
  const [only = new OrderedList<R>({ compare, rank: () => 0, text: () => null })] = lists
  if (lists.length < 2) return only
  const half = Math.floor(lists.length / 2)
  const left = mergeSorted(lists.slice(0, half), compare)
  return new MergedPair(left, mergeSorted(lists.slice(half), compare), compare)
}

class MergedPair<R> implements SortedRows<R> {
  readonly #left: SortedRows<R>
  readonly #right: SortedRows<R>
  readonly #compare: Compare<R>

  constructor(left: SortedRows<R>, right: SortedRows<R>, compare: Compare<R>) {
    this.#left = left
    this.#right = right
    this.#compare = compare
  }

  get size(): number {
    return this.#left.size + this.#right.size
  }

  at(index: number): R | undefined {
    return index < 0 ? undefined : this.slice(index, 1)[0]
  }

  slice(offset: number, limit: number): R[] {
    const rows: R[] = []
    this.#readRuns(offset, limit, (list, start, count) => rows.push(...list.slice(start, count)))
    return rows
  }

  encode(offset: number, limit: number, encoding: RowEncoding<R>, parts: PagePart[]): void {
    this.#readRuns(offset, limit, (list, start, count) => {
      list.encode(start, count, encoding, parts)
    })
  }

  /** Reads rows that follow each other in one list together. */
  #readRuns(
    offset: number,
    limit: number,
    read: (list: SortedRows<R>, start: number, count: number) => void,
  ): void {
    const end = Math.min(offset + limit, this.size)
    let start = Math.min(Math.max(0, offset), end)
    let left = this.#countFromLeft(start)
    while (start < end) {
      const right = start - left
      const fromLeft = this.#countRun(this.#left, left, this.#right.at(right), end - start)
      read(this.#left, left, fromLeft)
      left += fromLeft
      start += fromLeft
      const fromRight = this.#countRun(this.#right, right, this.#left.at(left), end - start)
      read(this.#right, right, fromRight)
      start += fromRight
    }
  }

  toArray(): R[] {
    return this.slice(0, this.size)
  }

  /** How many rows of a list, from `start` and at most `limit`, come before a row of the other list. */
  #countRun(list: SortedRows<R>, start: number, other: R | undefined, limit: number): number {
    const most = Math.min(limit, list.size - start)
    if (other === undefined) return most
    return bisect(0, most, (count) => this.#compare(list.at(start + count) as R, other) > 0)
  }

  search(terms: readonly string[]): SortedRows<R> {
    if (terms.length === 0) return this
    return new MergedPair(this.#left.search(terms), this.#right.search(terms), this.#compare)
  }

  /** How many of the first `count` rows come from the left list. */
  #countFromLeft(count: number): number {
    const fewest = Math.max(0, count - this.#right.size)
    const most = Math.min(count, this.#left.size)
    return bisect(fewest, most, (index) => {
      const left = this.#left.at(index) as R
      const right = this.#right.at(count - index - 1) as R
      return this.#compare(left, right) > 0
    })
  }
}
