import { bisect, type SortedRows } from './sorted.ts'
import { JoinedText } from './text-search.ts'

interface ChunkStore<R> {
  readonly owner: object
  readonly chunks: Chunk<R>[]
  /** Rows per chunk. @note Kept apart: to visit 2000 chunks after each write would cost 100 µs. */
  readonly sizes: number[]
  /** Rows up to the end of each chunk; counted at the first question after a write. */
  ends: number[] | null
  /** The rank of the last row of each chunk, kept apart as well: finding a place asks many. */
  lastRanks: number[] | null
}

/**
 * A sequence of rows in chunks: read by position, changed a chunk at a time, forked at no cost.
 * What forks share carries the token of none of them, and is copied before a write.
 *
 * @example
 * new Chunks([new Chunk([1, 2], text), new Chunk([5], text)]).slice(1, 2) // [2, 5]
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
  get lasts(): readonly number[] {
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
    let at = this.#chunkAt(first)
    let from = first - this.#startOf(at)
    for (; at < this.chunks.length && rows.length < limit; at++) {
      const chunk = this.chunks[at] as Chunk<R>
      rows.push(...chunk.rows.slice(from, from + limit - rows.length))
      from = 0
    }
    return rows
  }

  search(terms: readonly string[]): SortedRows<R> {
    if (terms.length === 0) return this
    const joined = terms.join(' ')
    const hits = this.chunks.map((chunk) => chunk.search(joined))
    return new ChunkedList(hits.filter((chunk) => chunk.rows.length > 0))
  }

  /** Changes rows inside one chunk, the one at `at`; `index` counts from its first row. */
  splice(at: number, index: number, deleteCount: number, rows: readonly R[]): void {
    const shelf = this.#writableStore()
    const chunk = (shelf.chunks[at] as Chunk<R>).ownedBy(shelf.owner)
    chunk.splice(index, deleteCount, rows)
    const parts = chunk.split()
    shelf.chunks.splice(at, 1, ...parts)
    shelf.sizes.splice(at, 1, ...sizesOf(parts))
    shelf.lastRanks?.splice(at, 1, ...lastRanksOf(parts))
    shelf.ends = null
  }

  /** Puts a row in the place of one of the same rank. */
  replace(at: number, index: number, row: R): void {
    const { owner, chunks } = this.#writableStore()
    const chunk = (chunks[at] as Chunk<R>).ownedBy(owner)
    chunk.replace(index, row)
    chunks[at] = chunk
  }

  /** The same rows once more; from here on neither sees what the other changes. */
  fork(): ChunkedList<R> {
    const copy = new ChunkedList<R>([])
    copy.#store = this.#store
    this.#owner = {}
    return copy
  }

  /** The shelf, safe to change. */
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

/** In rows. A write moves the rows of one chunk, a count walks all chunks: this keeps both fast. */
const MAX_ROWS = 1024
const TARGET_ROWS = 512

/** How many searches a chunk remembers; the oldest goes first. */
const MAX_CACHED_SEARCHES = 8

/** What a chunk needs to know of its rows. */
export interface ChunkOptions<R> {
  /** In which a search looks, already folded; null is never found. */
  readonly text: (row: R) => string | null
  /** By which rows stand in order, the lowest first, but for ties. */
  readonly rank: (row: R) => number
}

/**
 * A run of neighbouring rows, with its joined text and its last searches, which a write drops.
 *
 * @example
 * const hits = new Chunk(rows, { text: ({ folded }) => folded, rank: ({ id }) => id }).matching('release 2.1').rows
 */
export class Chunk<R> {
  readonly #rows: R[]
  readonly #options: ChunkOptions<R>
  /** Who has this token may splice here; for all others the rows stand still. */
  readonly #owner: object | null
  #ranks: number[] | null = null
  #text: JoinedText | null = null
  #searches: Map<string, Chunk<R>> | null = null

  constructor(rows: R[], reading: ChunkOptions<R>, owner: object | null = null) {
    this.#rows = rows
    this.#options = reading
    this.#owner = owner
  }

  get rows(): readonly R[] {
    return this.#rows
  }

  /** Of each row. @note Side by side: the rows are far away, and finding a place in a large list asks many. */
  get ranks(): readonly number[] {
    this.#ranks ??= this.#rows.map(this.#options.rank)
    return this.#ranks
  }

  /**
   * The rows that hold every term, as a chunk of their own, which can be searched as any other.
   * The terms come with one space between them.
   */
  search(terms: string): Chunk<R> {
    this.#searches ??= new Map()
    const known = this.#searches.get(terms)
    if (known) return known

    this.#text ??= new JoinedText(this.#rows.map((row) => this.#options.text(row)))
    const hits = this.#text.find(terms.split(' ')).map((index) => this.#rows[index] as R)
    const found = new Chunk(hits, this.#options)
    this.#searches.set(terms, found)
    const [oldest = terms] = this.#searches.keys()
    if (this.#searches.size > MAX_CACHED_SEARCHES) this.#searches.delete(oldest)
    return found
  }

  /** This chunk when the owner may splice it already, else a copy for the owner. */
  ownedBy(owner: object): Chunk<R> {
    return this.#owner === owner ? this : new Chunk(this.#rows.slice(), this.#options, owner)
  }

  splice(index: number, deleteCount: number, rows: readonly R[]): void {
    this.#rows.splice(index, deleteCount, ...rows)
    this.#ranks?.splice(index, deleteCount, ...rows.map(this.#options.rank))
    this.#text = null
    this.#searches = null
  }

  /** Puts a row in the place of one of the same rank. */
  replace(index: number, row: R): void {
    this.#rows[index] = row
    this.#text = null
    this.#searches = null
  }

  /** Nothing when empty, itself up to 1024 rows, else parts of about 512. */
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
