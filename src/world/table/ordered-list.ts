import { Chunk, ChunkedList, type ChunkOptions } from './chunked-list.ts'
import type { Compare, SortedRows } from './sorted.ts'
import { bisect } from './sorted.ts'

export interface OrderedListOptions<R> {
  /** A strict total order: zero only for two versions of one row. */
  readonly compare: Compare<R>
  /** What a search looks in, already folded; null is never found. */
  readonly text: ChunkOptions<R>['text']
  /** What `compare` looks at first, the lowest first; without it every place is found by `compare` alone. */
  readonly rank?: ChunkOptions<R>['rank']
  /** The first rows, already in order. */
  readonly rows?: readonly R[]
}

/**
 * Rows kept in order, read by position, searched, and forked at no cost: forks share rows until one
 * writes.
 *
 * @example
 * const list = new OrderedList({ compare: (a, b) => b.id - a.id, text: (row) => row.folded, rows })
 * const sandbox = list.fork()
 * sandbox.insert({ id: 43, folded: 'release 2.1' }) // `list` does not see it
 */
export class OrderedList<R> implements SortedRows<R> {
  readonly #compare: Compare<R>
  readonly #options: ChunkOptions<R>
  #rows: ChunkedList<R>

  constructor({ compare, text, rank = () => 0, rows = [] }: OrderedListOptions<R>) {
    this.#compare = compare
    this.#options = { text, rank }
    rows.forEach((row, index) => {
      if (index > 0 && compare(rows[index - 1] as R, row) >= 0) {
        throw new Error(
          'Failed to fill a list: expected rows in ascending order, ' +
            `got row ${index} not after row ${index - 1}. Sort them by the compare of the list.`,
        )
      }
    })
    this.#rows = new ChunkedList(new Chunk(rows.slice(), this.#options).split())
  }

  get size(): number {
    return this.#rows.size
  }

  at(index: number): R | undefined {
    return this.#rows.at(index)
  }

  slice(offset: number, limit: number): R[] {
    return this.#rows.slice(offset, limit)
  }

  search(terms: readonly string[]): SortedRows<R> {
    return terms.length === 0 ? this : this.#rows.search(terms)
  }

  /** Adds a row at its place. */
  insert(row: R): void {
    const { chunk, index, isTaken } = this.#locate(row)
    if (isTaken) {
      throw new Error(
        'Failed to insert a row: expected a free place in the order, got one that is taken. ' +
          'Use replace to change a listed row.',
      )
    }
    if (this.#rows.chunks.length > 0) this.#rows.splice(chunk, index, 0, [row])
    else this.#rows = new ChunkedList([new Chunk([row], this.#options)])
  }

  /** Takes out the row that stands where `row` would; false when there is none. */
  remove(row: R): boolean {
    const { chunk, index, isTaken } = this.#locate(row)
    if (isTaken) this.#rows.splice(chunk, index, 1, [])
    return isTaken
  }

  /** Puts `after` where `before` stands; both must have the same place in the order. */
  replace(before: R, after: R): void {
    const { chunk, index, isTaken } = this.#locate(before)
    if (!isTaken) {
      throw new Error(
        'Failed to replace a row: expected a listed row, got one that is not in the list. ' +
          'Use insert to add it.',
      )
    }
    if (this.#compare(before, after) !== 0) {
      throw new Error(
        'Failed to replace a row: expected the same place in the order, got another one. ' +
          'Remove the row and insert the changed one.',
      )
    }
    this.#rows.replace(chunk, index, after)
  }

  /** A second list with the same rows; from here on neither sees what the other writes. */
  fork(): OrderedList<R> {
    const copy = new OrderedList<R>({ compare: this.#compare, ...this.#options })
    copy.#rows = this.#rows.fork()
    return copy
  }

  /** Where a row is, or belongs: what comes after all rows belongs at the end of the last chunk. */
  #locate(row: R): { chunk: number; index: number; isTaken: boolean } {
    const { chunks, lasts } = this.#rows
    const rank = this.#options.rank(row)
    const last = Math.max(0, chunks.length - 1)
    const chunk = bisect(0, last, (at) => {
      const other = lasts[at] as number
      return other === rank ? this.#isAtOrAfter(chunks[at]?.rows.at(-1) as R, row) : other > rank
    })
    const { rows = [], ranks = [] } = chunks[chunk] ?? {}
    const index = bisect(0, rows.length, (at) => {
      const other = ranks[at] as number
      return other === rank ? this.#isAtOrAfter(rows[at] as R, row) : other > rank
    })
    const isTaken = index < rows.length && this.#compare(rows[index] as R, row) === 0
    return { chunk, index, isTaken }
  }

  /** Whether a row stands where another does, or behind it. */
  #isAtOrAfter(other: R, row: R): boolean {
    return this.#compare(other, row) >= 0
  }
}
