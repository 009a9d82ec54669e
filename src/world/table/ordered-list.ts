import type { PagePart } from '../../utils/json-page.ts'
import type { Steps } from '../../utils/steps.ts'
import { bisect, Chunk, type ChunkOptions, firstNotBelow, TARGET_ROWS } from './chunk.ts'
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

export interface OrderedListRules<R> extends ChunkOptions<R> {
  /** A strict total order: zero only for two versions of the same row. `rank` is its primary sort key. */
  readonly compare: Compare<R>
}

interface ChunkStore<R> {
  readonly owner: object
  readonly chunks: Chunk<R>[]
  /** The size of each chunk. A separate array, because a visit of 2,000 chunks after each write takes 100 µs. */
  sizes: number[]
  /** The number of rows up to the end of each chunk; computed by the first read after a write. */
  ends: number[] | null
  /** The rank of the last row of each chunk. A separate array, because each search for a position reads many ranks. */
  lastRanks: number[] | null
  /** Whether another store has the same arrays of sizes and ranks. They are copied when a row moves. */
  isShared: boolean
}

/**
 * Rows in order: read by position, searched, and forked in constant time. The rows are in chunks, and a write changes
 * one of them. Forks share a store of chunks and copy it before their first write.
 *
 * @example
 * const list = new OrderedList({ compare: (a, b) => b.id - a.id, rank: (row) => -row.id, text: (row) => row.folded })
 * const fork = list.fork()
 * fork.insert({ id: 43, folded: 'release 2.1' }) // `list` does not change
 */
export class OrderedList<R> implements SortedRows<R> {
  readonly #rules: OrderedListRules<R>
  #owner: object = {}
  #store: ChunkStore<R>

  constructor(rules: OrderedListRules<R>) {
    this.#rules = rules
    this.#store = this.#createStore([])
  }

  /** Fills an empty list with rows in order, in steps. */
  *fill(rows: readonly R[]): Steps<void> {
    const chunks: Chunk<R>[] = []
    for (let start = 0; start < rows.length; start += TARGET_ROWS) {
      const end = Math.min(start + TARGET_ROWS, rows.length)
      checkOrder(rows, start, end, this.#rules.compare)
      chunks.push(new Chunk(rows.slice(start, end), this.#rules))
      yield
    }
    this.#store = this.#createStore(chunks)
  }

  get size(): number {
    return this.#startOf(this.#store.chunks.length)
  }

  at(index: number): R | undefined {
    const chunk = this.#chunkAt(index)
    return this.#store.chunks[chunk]?.at(index - this.#startOf(chunk))
  }

  /** The row with a rank, for a list whose ranks are distinct integers. */
  find(rank: number): R | undefined {
    const { chunks } = this.#store
    const lastRanks = this.#lastRanks()
    return chunks[firstNotBelow(lastRanks, rank, chunks.length)]?.find(rank)
  }

  /** The current rows. Writes during the iteration do not affect it. */
  *values(): IterableIterator<R> {
    const { chunks } = this.fork().#store
    for (const chunk of chunks) yield* chunk.slice()
  }

  slice(offset: number, limit: number): R[] {
    const { chunks } = this.#store
    const first = Math.max(0, offset)
    const rows: R[] = []
    let chunkIndex = this.#chunkAt(first)
    let from = first - this.#startOf(chunkIndex)
    for (; chunkIndex < chunks.length && rows.length < limit; chunkIndex++) {
      const chunk = chunks[chunkIndex] as Chunk<R>
      rows.push(...chunk.slice(from, from + limit - rows.length))
      from = 0
    }
    return rows
  }

  toArray(): R[] {
    return this.slice(0, Number.POSITIVE_INFINITY)
  }

  encode(offset: number, limit: number, encoding: RowEncoding<R>, parts: PagePart[]): void {
    const { chunks } = this.#store
    let chunkIndex = this.#chunkAt(offset)
    let from = offset - this.#startOf(chunkIndex)
    let missing = limit
    for (; chunkIndex < chunks.length && missing > 0; chunkIndex++) {
      const chunk = chunks[chunkIndex] as Chunk<R>
      const to = Math.min(from + missing, chunk.size)
      chunk.encode(from, to, encoding, parts)
      missing -= to - from
      from = 0
    }
  }

  search(terms: readonly string[]): SortedRows<R> {
    if (terms.length === 0) return this
    const joined = terms.join(' ')
    const hits = this.#store.chunks.map((chunk) => chunk.search(joined))
    return this.#withStore(this.#createStore(hits.filter(({ size }) => size > 0)))
  }

  insert(row: R): void {
    const { chunk, index, isListed } = this.#locate(row)
    if (isListed) throw new Error('The list has a row at this position.')
    if (this.#store.chunks.length > 0) this.#splice(chunk, index, 0, [row])
    else this.#store = this.#createStore([new Chunk([row], this.#rules)])
  }

  /** Removes the row at the position of `row`. @returns false if there is no such row */
  remove(row: R): boolean {
    const { chunk, index, isListed } = this.#locate(row)
    if (isListed) this.#splice(chunk, index, 1, [])
    return isListed
  }

  /** Replaces a row by one with the same position. */
  replace(before: R, after: R): void {
    const { chunk, index, isListed } = this.#locate(before)
    if (!isListed) throw new Error('The row is not in the list.')
    const { owner, chunks } = this.#writableStore()
    const owned = (chunks[chunk] as Chunk<R>).ownedBy(owner)
    owned.replace(index, after)
    chunks[chunk] = owned
  }

  /** The parts of the list, which forks share until they change. */
  get chunks(): readonly Pick<Chunk<R>, 'slice' | 'search'>[] {
    return this.#store.chunks
  }

  fork(): OrderedList<R> {
    this.#owner = {}
    return this.#withStore(this.#store)
  }

  /** Changes rows within one chunk. `index` counts from the first row of the chunk. */
  #splice(chunkIndex: number, index: number, deleteCount: number, rows: readonly R[]): void {
    const store = this.#writableStore()
    const chunk = (store.chunks[chunkIndex] as Chunk<R>).ownedBy(store.owner)
    chunk.splice(index, deleteCount, rows)
    const parts = chunk.split()
    store.ends = null
    if (store.isShared) {
      store.sizes = store.sizes.slice()
      store.lastRanks &&= store.lastRanks.slice()
      store.isShared = false
    }
    store.chunks.splice(chunkIndex, 1, ...parts)
    store.sizes.splice(chunkIndex, 1, ...parts.map(({ size }) => size))
    store.lastRanks?.splice(chunkIndex, 1, ...lastRanksOf(parts))
  }

  #withStore(store: ChunkStore<R>): OrderedList<R> {
    const list = new OrderedList<R>(this.#rules)
    list.#store = store
    return list
  }

  #createStore(chunks: Chunk<R>[]): ChunkStore<R> {
    const sizes = chunks.map(({ size }) => size)
    return { owner: this.#owner, chunks, sizes, ends: null, lastRanks: null, isShared: false }
  }

  #writableStore(): ChunkStore<R> {
    if (this.#store.owner === this.#owner) return this.#store
    this.#store = {
      ...this.#store,
      owner: this.#owner,
      chunks: this.#store.chunks.slice(),
      isShared: true,
    }
    return this.#store
  }

  /** Finds the position of a row. A row after all others belongs to the end of the last chunk. */
  #locate(row: R): { chunk: number; index: number; isListed: boolean } {
    const rules = this.#rules
    const { chunks } = this.#store
    const lastChunk = Math.max(0, chunks.length - 1)
    const chunk = findRow(row, rules, this.#lastRanks(), lastChunk, chunks, lastRow)
    const found = chunks[chunk]
    if (!found) return { chunk, index: 0, isListed: false }
    const { ranks, size } = found
    const index = findRow(row, rules, ranks, size, found, rowAt)
    const isListed = index < size && rules.compare(found.at(index) as R, row) === 0
    return { chunk, index, isListed }
  }

  #lastRanks(): readonly number[] {
    this.#store.lastRanks ??= lastRanksOf(this.#store.chunks)
    return this.#store.lastRanks
  }

  #chunkAt(index: number): number {
    return bisect(0, this.#store.chunks.length, (chunk) => this.#startOf(chunk + 1) > index)
  }

  #startOf(chunk: number): number {
    const store = this.#store
    if (store.ends === null) {
      let end = 0
      store.ends = store.sizes.map((size) => {
        end += size
        return end
      })
    }
    return store.ends[chunk - 1] ?? 0
  }
}

/** A function of its own, so that V8 compiles this loop alone. */
function checkOrder<R>(rows: readonly R[], start: number, end: number, compare: Compare<R>): void {
  for (let at = Math.max(start, 1); at < end; at++) {
    if (compare(rows[at - 1] as R, rows[at] as R) < 0) continue
    throw new Error(`Row ${at} does not come after the one before it.`)
  }
}

const lastRow = <R>(chunks: readonly Chunk<R>[], at: number) => chunks[at]?.at(chunks[at].size - 1)
const rowAt = <R>(chunk: Chunk<R>, at: number) => chunk.at(at)

/**
 * Finds the first position up to `end` whose row is not before another one. Compares numbers first, since few rows share
 * a rank. It creates no functions, because each write calls it for each list.
 *
 * @param ranks the rank of each position
 * @param at returns the row at a position of `rows`
 */
function findRow<R, Rows>(
  row: R,
  { rank: rankOf, compare }: OrderedListRules<R>,
  ranks: readonly number[],
  end: number,
  rows: Rows,
  at: (rows: Rows, position: number) => R | undefined,
): number {
  const rank = rankOf(row)
  let [low, high] = [firstNotBelow(ranks, rank, end), end]
  // Most often the first one with its rank is the row.
  for (let middle = low; low < high; middle = (low + high) >>> 1) {
    if (ranks[middle] === rank && compare(at(rows, middle) as R, row) < 0) low = middle + 1
    else high = middle
  }
  return low
}

function lastRanksOf<R>(chunks: readonly Chunk<R>[]): number[] {
  return chunks.map(({ ranks }) => ranks.at(-1) as number)
}
