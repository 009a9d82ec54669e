import { bisect } from './bisect.ts'
import type { Chunk } from './chunk.ts'
import type { Sorted } from './sorted.ts'

interface Shelf<R> {
  readonly owner: object
  readonly chunks: Chunk<R>[]
  /** Rows per chunk. @note Kept apart: to visit 2000 chunks after each write would cost 100 µs. */
  readonly sizes: number[]
  /** Rows up to the end of each chunk; counted at the first question after a write. */
  ends: number[] | null
  /** The rank of the last row of each chunk, kept apart as well: finding a place asks many. */
  lasts: number[] | null
}

/**
 * A sequence of rows in chunks: read by position, changed a chunk at a time, forked at no cost.
 * What forks share carries the token of none of them, and is copied before a write.
 *
 * @example
 * new Chunks([new Chunk([1, 2], text), new Chunk([5], text)]).slice(1, 2) // [2, 5]
 */
export class Chunks<R> implements Sorted<R> {
  #owner: object = {}
  #shelf: Shelf<R>

  constructor(chunks: Chunk<R>[]) {
    this.#shelf = { owner: this.#owner, chunks, sizes: sizesOf(chunks), ends: null, lasts: null }
  }

  get chunks(): readonly Chunk<R>[] {
    return this.#shelf.chunks
  }

  /** The rank of the last row of each chunk. */
  get lasts(): readonly number[] {
    this.#shelf.lasts ??= lastsOf(this.chunks)
    return this.#shelf.lasts
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

  search(terms: readonly string[]): Sorted<R> {
    if (terms.length === 0) return this
    const joined = terms.join(' ')
    const hits = this.chunks.map((chunk) => chunk.matching(joined))
    return new Chunks(hits.filter((chunk) => chunk.rows.length > 0))
  }

  /** Changes rows inside one chunk, the one at `at`; `index` counts from its first row. */
  splice(at: number, index: number, deleteCount: number, rows: readonly R[]): void {
    const shelf = this.#ownShelf()
    const chunk = (shelf.chunks[at] as Chunk<R>).ownedBy(shelf.owner)
    chunk.splice(index, deleteCount, rows)
    const parts = chunk.parts()
    shelf.chunks.splice(at, 1, ...parts)
    shelf.sizes.splice(at, 1, ...sizesOf(parts))
    shelf.lasts?.splice(at, 1, ...lastsOf(parts))
    shelf.ends = null
  }

  /** Puts a row in the place of one of the same rank. */
  replace(at: number, index: number, row: R): void {
    const { owner, chunks } = this.#ownShelf()
    const chunk = (chunks[at] as Chunk<R>).ownedBy(owner)
    chunk.replace(index, row)
    chunks[at] = chunk
  }

  /** The same rows once more; from here on neither sees what the other changes. */
  fork(): Chunks<R> {
    const copy = new Chunks<R>([])
    copy.#shelf = this.#shelf
    this.#owner = {}
    return copy
  }

  /** The shelf, safe to change. */
  #ownShelf(): Shelf<R> {
    const owner = this.#owner
    const { chunks, sizes, ends, lasts } = this.#shelf
    if (this.#shelf.owner === owner) return this.#shelf
    this.#shelf = {
      owner,
      chunks: chunks.slice(),
      sizes: sizes.slice(),
      ends,
      lasts: lasts?.slice() ?? null,
    }
    return this.#shelf
  }

  #chunkAt(index: number): number {
    return bisect(0, this.chunks.length, (chunk) => this.#startOf(chunk + 1) > index)
  }

  #startOf(chunk: number): number {
    this.#shelf.ends ??= endsOf(this.#shelf.sizes)
    return this.#shelf.ends[chunk - 1] ?? 0
  }
}

function sizesOf<R>(chunks: readonly Chunk<R>[]): number[] {
  return chunks.map((chunk) => chunk.rows.length)
}

function lastsOf<R>(chunks: readonly Chunk<R>[]): number[] {
  return chunks.map(({ ranks }) => ranks.at(-1) as number)
}

function endsOf(sizes: readonly number[]): number[] {
  let end = 0
  return sizes.map((size) => {
    end += size
    return end
  })
}
