import type { PagePart } from '../../utils/json-page.ts'
import { EncodedBlocks, type RowEncoding } from './encoded-blocks.ts'
import { JoinedText } from './text-search.ts'

/** In rows. A write moves the rows of one chunk, and a count visits all chunks: this size keeps both fast. */
const MAX_ROWS = 1024
export const TARGET_ROWS = 512

/** How many rows of a copy are stored beside the array of its original. */
const maxChanged = 16

/** The number of cached searches per chunk. The oldest search is evicted first. */
const MAX_CACHED_SEARCHES = 8

export interface ChunkOptions<R> {
  /** The searchable text of a row, already folded. A search never finds null. */
  readonly text: (row: R) => string | null
  /** The primary sort key of a row, lowest first. */
  readonly rank: (row: R) => number
}

/**
 * A run of consecutive rows, with its joined text and its last searches. A write discards both.
 *
 * @example new Chunk(rows, { text: ({ folded }) => folded, rank: ({ id }) => id }).search('release 2.1').slice()
 */
export class Chunk<R> {
  /** A copy has the arrays of its original, which never change again. */
  #rows: R[]
  /** The rows of a copy that differ from that array, by index. Null for a chunk with arrays of its own */
  #changed: Map<number, R> | null = null
  readonly #options: ChunkOptions<R>
  /** Only the list with this token may change the chunk. */
  readonly #owner: object | null
  #ranks: number[] | null = null
  #text: JoinedText | null = null
  #searches: Map<string, Chunk<R>> | null = null
  #encoded: EncodedBlocks<R> | null = null

  constructor(rows: R[], options: ChunkOptions<R>, owner: object | null = null) {
    this.#rows = rows
    this.#options = options
    this.#owner = owner
  }

  get size(): number {
    return this.#rows.length
  }

  at(index: number): R | undefined {
    return this.#changed?.get(index) ?? this.#rows[index]
  }

  slice(from = 0, to: number = this.size): R[] {
    const rows = this.#rows.slice(from, to)
    for (const [index, row] of this.#changed ?? []) {
      if (index >= from && index < to) rows[index - from] = row
    }
    return rows
  }

  /** The rank of each row. A dense array, because reading the ranks from the rows would miss the CPU cache. */
  get ranks(): readonly number[] {
    this.#ranks ??= this.#rows.map(this.#options.rank)
    return this.#ranks
  }

  /** The row with a rank, if ranks are distinct integers. */
  find(rank: number): R | undefined {
    const { ranks } = this
    // Ranks are at least one apart, so the position is at most their difference.
    const furthest = Math.min(rank - (ranks[0] as number), ranks.length - 1)
    const index = ranks[furthest] === rank ? furthest : firstNotBelow(ranks, rank, furthest)
    return ranks[index] === rank ? this.at(index) : undefined
  }

  /** The rows that contain every term, as a new chunk. The terms are separated by one space. */
  search(terms: string): Chunk<R> {
    this.#searches ??= new Map()
    const cached = this.#searches.get(terms)
    if (cached) return cached

    this.#text ??= new JoinedText(this.slice().map((row) => this.#options.text(row)))
    const rows = this.#text.find(terms.split(' ')).map((index) => this.at(index) as R)
    const hits = new Chunk(rows, this.#options)
    this.#searches.set(terms, hits)
    const [oldest = terms] = this.#searches.keys()
    if (this.#searches.size > MAX_CACHED_SEARCHES) this.#searches.delete(oldest)
    return hits
  }

  /** Returns this chunk if it belongs to the owner, else a copy for the owner. */
  ownedBy(owner: object): Chunk<R> {
    if (this.#owner === owner) return this
    const copy = new Chunk(this.#rows, this.#options, owner)
    copy.#changed = new Map(this.#changed)
    copy.#ranks = this.#ranks
    copy.#encoded = this.#encoded?.copy() ?? null
    return copy
  }

  /** Adds the encoded rows from `from` up to `to` to `parts`. */
  encode(from: number, to: number, encoding: RowEncoding<R>, parts: PagePart[]): void {
    if (this.#encoded?.version !== encoding.version) {
      this.#encoded?.forget()
      this.#encoded = EncodedBlocks.of(this, encoding)
    }
    this.#encoded.read(this, from, to, encoding, parts)
  }

  splice(index: number, deleteCount: number, rows: readonly R[]): void {
    this.#ownRows().splice(index, deleteCount, ...rows)
    this.#ranks?.splice(index, deleteCount, ...rows.map(this.#options.rank))
    this.#discard(index, deleteCount, rows.length)
  }

  replace(index: number, row: R): void {
    if (this.#changed && this.#changed.size < maxChanged) this.#changed.set(index, row)
    else this.#ownRows()[index] = row
    this.#discard(index, 1, 1)
  }

  #discard(index: number, deleteCount: number, insertCount: number): void {
    this.#encoded?.splice(index, deleteCount, insertCount)
    this.#text = null
    this.#searches = null
  }

  #ownRows(): R[] {
    if (this.#changed) {
      this.#rows = this.slice()
      this.#ranks = this.#ranks?.slice() ?? null
      this.#changed = null
    }
    return this.#rows
  }

  /** Returns no chunk if empty, this chunk up to 1024 rows, else parts of about 512 rows. */
  split(): Chunk<R>[] {
    const rows = this.#rows
    if (rows.length <= MAX_ROWS) return rows.length === 0 ? [] : [this]
    const count = Math.round(rows.length / TARGET_ROWS)
    const cut = (part: number): number => Math.floor((part * rows.length) / count)
    this.#encoded?.forget()
    return Array.from({ length: count }, (_, part) => {
      return new Chunk(rows.slice(cut(part), cut(part + 1)), this.#options, this.#owner)
    })
  }
}

/**
 * Finds the first index from `from` up to but not including `to` for which `holds` is true, else returns `to`. `holds`
 * must be monotonic: after the first true, all further values are true.
 *
 * @example bisect(0, ids.length, (index) => ids[index] >= 42) // the position of 42, or where to insert it
 */
export function bisect(from: number, to: number, holds: (index: number) => boolean): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** The first position up to `end` with this rank or a higher one. Not `bisect`: each request looks up several rows. */
export function firstNotBelow(ranks: readonly number[], rank: number, end: number): number {
  let [low, high] = [0, end]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ranks[middle] as number) < rank) low = middle + 1
    else high = middle
  }
  return low
}
