import { bisect, type SortedRows } from './sorted.ts'
import { JoinedText } from './text-search.ts'

interface ChunkStore<R> {
  readonly owner: object
  readonly chunks: Chunk<R>[]
  /** The size of each chunk. A separate array, because a visit of 2,000 chunks after each write takes 100 µs. */
  readonly sizes: number[]
  /** The number of rows up to the end of each chunk; computed by the first read after a write. */
  ends: number[] | null
  /** The rank of the last row of each chunk. A separate array, because each search for a position reads many ranks. */
  lastRanks: number[] | null
}

/**
 * A sequence of rows in chunks: read by position, changed one chunk at a time, forked in constant time. Forks share a
 * store and copy it before their first write.
 *
 * @example
 * new ChunkedList([new Chunk([1, 2], options), new Chunk([5], options)]).slice(1, 2) // [2, 5]
 */
export class ChunkedList<R> implements SortedRows<R> {
  #owner: object = {}
  #store: ChunkStore<R>

  constructor(chunks: Chunk<R>[]) {
    this.#store = {
      owner: this.#owner,
      chunks,
      sizes: sizesOf(chunks),
      ends: null,
      lastRanks: null,
    }
  }

  get chunks(): readonly Chunk<R>[] {
    return this.#store.chunks
  }

  /** The rank of the last row of each chunk. */
  get lastRanks(): readonly number[] {
    this.#store.lastRanks ??= lastRanksOf(this.chunks)
    return this.#store.lastRanks
  }

  get size(): number {
    return this.#startOf(this.chunks.length)
  }

  at(index: number): R | undefined {
    const chunk = this.#chunkAt(index)
    return this.chunks[chunk]?.rows[index - this.#startOf(chunk)]
  }

  slice(offset: number, limit: number): R[] {
    const first = Math.max(0, offset)
    const rows: R[] = []
    let chunkIndex = this.#chunkAt(first)
    let from = first - this.#startOf(chunkIndex)
    for (; chunkIndex < this.chunks.length && rows.length < limit; chunkIndex++) {
      const chunk = this.chunks[chunkIndex] as Chunk<R>
      rows.push(...chunk.rows.slice(from, from + limit - rows.length))
      from = 0
    }
    return rows
  }

  toArray(): R[] {
    return this.slice(0, Number.POSITIVE_INFINITY)
  }

  search(terms: readonly string[]): SortedRows<R> {
    if (terms.length === 0) return this
    const joined = terms.join(' ')
    const hits = this.chunks.map((chunk) => chunk.search(joined))
    return new ChunkedList(hits.filter((chunk) => chunk.rows.length > 0))
  }

  /** Changes rows within one chunk. `index` counts from the first row of the chunk. */
  splice(chunkIndex: number, index: number, deleteCount: number, rows: readonly R[]): void {
    const store = this.#writableStore()
    const chunk = (store.chunks[chunkIndex] as Chunk<R>).ownedBy(store.owner)
    chunk.splice(index, deleteCount, rows)
    const parts = chunk.split()
    store.chunks.splice(chunkIndex, 1, ...parts)
    store.sizes.splice(chunkIndex, 1, ...sizesOf(parts))
    store.lastRanks?.splice(chunkIndex, 1, ...lastRanksOf(parts))
    store.ends = null
  }

  /** Replaces a row by one of the same rank. */
  replace(chunkIndex: number, index: number, row: R): void {
    const { owner, chunks } = this.#writableStore()
    const chunk = (chunks[chunkIndex] as Chunk<R>).ownedBy(owner)
    chunk.replace(index, row)
    chunks[chunkIndex] = chunk
  }

  /** Creates an independent copy in constant time. */
  fork(): ChunkedList<R> {
    const copy = new ChunkedList<R>([])
    copy.#store = this.#store
    this.#owner = {}
    return copy
  }

  #writableStore(): ChunkStore<R> {
    const owner = this.#owner
    const { chunks, sizes, ends, lastRanks } = this.#store
    if (this.#store.owner === owner) return this.#store
    this.#store = {
      owner,
      chunks: chunks.slice(),
      sizes: sizes.slice(),
      ends,
      lastRanks: lastRanks?.slice() ?? null,
    }
    return this.#store
  }

  #chunkAt(index: number): number {
    return bisect(0, this.chunks.length, (chunk) => this.#startOf(chunk + 1) > index)
  }

  #startOf(chunk: number): number {
    this.#store.ends ??= endsOf(this.#store.sizes)
    return this.#store.ends[chunk - 1] ?? 0
  }
}

function sizesOf<R>(chunks: readonly Chunk<R>[]): number[] {
  return chunks.map((chunk) => chunk.rows.length)
}

function lastRanksOf<R>(chunks: readonly Chunk<R>[]): number[] {
  return chunks.map(({ ranks }) => ranks.at(-1) as number)
}

function endsOf(sizes: readonly number[]): number[] {
  let end = 0
  return sizes.map((size) => {
    end += size
    return end
  })
}

/** In rows. A write moves the rows of one chunk, and a count visits all chunks: this size keeps both fast. */
const MAX_ROWS = 1024
const TARGET_ROWS = 512

/** The number of cached searches per chunk. The oldest search is evicted first. */
const MAX_CACHED_SEARCHES = 8

/** How a chunk reads its rows. */
export interface ChunkOptions<R> {
  /** The searchable text of a row, already folded. A search never finds null. */
  readonly text: (row: R) => string | null
  /** The primary sort key of a row, lowest first. */
  readonly rank: (row: R) => number
}

/**
 * A run of consecutive rows, with its joined text and its last searches. A write discards both.
 *
 * @example
 * new Chunk(rows, { text: ({ folded }) => folded, rank: ({ id }) => id }).search('release 2.1').rows
 */
export class Chunk<R> {
  readonly #rows: R[]
  readonly #options: ChunkOptions<R>
  /** Only the list with this token may change the chunk. */
  readonly #owner: object | null
  #ranks: number[] | null = null
  #text: JoinedText | null = null
  #searches: Map<string, Chunk<R>> | null = null

  constructor(rows: R[], options: ChunkOptions<R>, owner: object | null = null) {
    this.#rows = rows
    this.#options = options
    this.#owner = owner
  }

  get rows(): readonly R[] {
    return this.#rows
  }

  /** The rank of each row. A dense array, because reading the ranks from the rows would miss the CPU cache. */
  get ranks(): readonly number[] {
    this.#ranks ??= this.#rows.map(this.#options.rank)
    return this.#ranks
  }

  /** The rows that contain every term, as a new chunk. The terms are separated by one space. */
  search(terms: string): Chunk<R> {
    this.#searches ??= new Map()
    const cached = this.#searches.get(terms)
    if (cached) return cached

    this.#text ??= new JoinedText(this.#rows.map((row) => this.#options.text(row)))
    const rows = this.#text.find(terms.split(' ')).map((index) => this.#rows[index] as R)
    const hits = new Chunk(rows, this.#options)
    this.#searches.set(terms, hits)
    const [oldest = terms] = this.#searches.keys()
    if (this.#searches.size > MAX_CACHED_SEARCHES) this.#searches.delete(oldest)
    return hits
  }

  /** Returns this chunk if it belongs to the owner, else a copy for the owner. */
  ownedBy(owner: object): Chunk<R> {
    return this.#owner === owner ? this : new Chunk(this.#rows.slice(), this.#options, owner)
  }

  splice(index: number, deleteCount: number, rows: readonly R[]): void {
    this.#rows.splice(index, deleteCount, ...rows)
    this.#ranks?.splice(index, deleteCount, ...rows.map(this.#options.rank))
    this.#text = null
    this.#searches = null
  }

  /** Replaces a row by one of the same rank. */
  replace(index: number, row: R): void {
    this.#rows[index] = row
    this.#text = null
    this.#searches = null
  }

  /** Returns no chunk if empty, this chunk up to 1024 rows, else parts of about 512 rows. */
  split(): Chunk<R>[] {
    const rows = this.#rows
    if (rows.length <= MAX_ROWS) return rows.length === 0 ? [] : [this]
    const count = Math.round(rows.length / TARGET_ROWS)
    const cut = (part: number): number => Math.floor((part * rows.length) / count)
    return Array.from({ length: count }, (_, part) => {
      return new Chunk(rows.slice(cut(part), cut(part + 1)), this.#options, this.#owner)
    })
  }
}
