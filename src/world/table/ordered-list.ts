import { Chunk, ChunkedList, type ChunkOptions } from './chunked-list.ts'
import { bisect, type Compare, type SortedRows } from './sorted.ts'

export interface OrderedListOptions<R> {
  /** A strict total order: zero only for two versions of the same row. */
  readonly compare: Compare<R>
  /** The searchable text of a row, already folded. A search never finds null. */
  readonly text: ChunkOptions<R>['text']
  /** The primary sort key of `compare`, lowest first. Without it, only `compare` is used. */
  readonly rank?: ChunkOptions<R>['rank']
  /** The initial rows, in order. */
  readonly rows?: readonly R[]
}

/**
 * Rows in order: read by position, searched, and forked in constant time. Forks share rows until one of them writes.
 *
 * @example
 * const list = new OrderedList({ compare: (a, b) => b.id - a.id, text: (row) => row.folded, rows })
 * const fork = list.fork()
 * fork.insert({ id: 43, folded: 'release 2.1' }) // `list` does not change
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
          `Failed to fill a list: row ${index} does not come after row ${index - 1}. ` +
            'Sort the rows with the compare function of the list.',
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

  toArray(): R[] {
    return this.#rows.toArray()
  }

  search(terms: readonly string[]): SortedRows<R> {
    return terms.length === 0 ? this : this.#rows.search(terms)
  }

  /** Inserts a row at its position. */
  insert(row: R): void {
    const { chunk, index, isListed } = this.#locate(row)
    if (isListed) {
      throw new Error(
        'Failed to insert a row: the list has a row at the same position. Call replace() to change it.',
      )
    }
    if (this.#rows.chunks.length > 0) this.#rows.splice(chunk, index, 0, [row])
    else this.#rows = new ChunkedList([new Chunk([row], this.#options)])
  }

  /** Removes the row at the position of `row`. @returns false if there is no such row */
  remove(row: R): boolean {
    const { chunk, index, isListed } = this.#locate(row)
    if (isListed) this.#rows.splice(chunk, index, 1, [])
    return isListed
  }

  /** Replaces a row by one with the same position. */
  replace(before: R, after: R): void {
    const { chunk, index, isListed } = this.#locate(before)
    if (!isListed) {
      throw new Error(
        'Failed to replace a row: the row is not in the list. Call insert() to add it.',
      )
    }
    if (this.#compare(before, after) !== 0) {
      throw new Error(
        'Failed to replace a row: the new row has another position. Remove the old row and insert the new one.',
      )
    }
    this.#rows.replace(chunk, index, after)
  }

  /** Creates an independent copy in constant time. */
  fork(): OrderedList<R> {
    const copy = new OrderedList<R>({ compare: this.#compare, ...this.#options })
    copy.#rows = this.#rows.fork()
    return copy
  }

  /** Finds the position of a row. A row after all others belongs to the end of the last chunk. */
  #locate(row: R): { chunk: number; index: number; isListed: boolean } {
    const { chunks, lastRanks } = this.#rows
    const rank = this.#options.rank(row)
    const last = Math.max(0, chunks.length - 1)
    const chunk = bisect(0, last, (position) => {
      const other = lastRanks[position] as number
      if (other !== rank) return other > rank
      return this.#compare(chunks[position]?.rows.at(-1) as R, row) >= 0
    })
    const { rows = [], ranks = [] } = chunks[chunk] ?? {}
    const index = bisect(0, rows.length, (position) => {
      const other = ranks[position] as number
      return other === rank ? this.#compare(rows[position] as R, row) >= 0 : other > rank
    })
    const isListed = index < rows.length && this.#compare(rows[index] as R, row) === 0
    return { chunk, index, isListed }
  }
}
