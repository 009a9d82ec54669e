import type { JsonText } from '../../utils/json.ts'
import { EncodedRows, type PagePart, UnsharedRows } from '../../utils/json-page.ts'

/** How a list encodes its rows. */
export interface RowEncoding<R> {
  /** Rows are encoded again for another version. */
  readonly version: object
  readonly cache: BlockCache
  readonly serialize: (row: R) => JsonText<unknown>
}

/** In rows. A write makes the next read encode one block again, and a page is sent in one part per block. */
const blockSize = 64

/** In bytes. The pages of 100,000 annotations take about 57 MB. */
const maxCachedBytes = 64 * 1_048_576

/** Consecutive rows of a chunk. A write replaces the object. */
interface Block {
  readonly size: number
}

/**
 * The encoded blocks of a world and its forks. A full cache starts again, which takes constant time. From then on, it
 * keeps a block only when it is read again soon: pages of a larger world do not evict each other.
 */
export class BlockCache {
  /** The blocks that were read, and their rows if they were read again */
  #blocks = new WeakMap<Block, { readonly bytes: number; readonly rows: EncodedRows | null }>()
  #bytes = 0
  #wasFull = false
  readonly #limit: number

  constructor(limit: number = maxCachedBytes) {
    this.#limit = limit
  }

  /** Returns the rows of a block, or null if they are not to be kept yet. @param encode encodes all of them */
  read(block: Block, encode: () => EncodedRows): EncodedRows | null {
    const cached = this.#blocks.get(block)
    if (cached?.rows) return cached.rows
    if (!cached && this.#wasFull) return null
    const rows = encode()
    this.add(block, rows.bytes.length, rows)
    return rows
  }

  /** @param bytes the size of all rows of the block */
  add(block: Block, bytes: number, rows: EncodedRows | null = null): void {
    this.forget(block)
    this.#bytes += bytes
    if (this.#bytes > this.#limit) {
      this.#blocks = new WeakMap()
      this.#bytes = bytes
      this.#wasFull = true
    }
    this.#blocks.set(block, { bytes, rows })
  }

  forget(block: Block): void {
    this.#bytes -= this.#blocks.get(block)?.bytes ?? 0
    this.#blocks.delete(block)
  }
}

/** The encoded rows of a chunk, in blocks that are encoded when they are read. */
export class EncodedBlocks<R> {
  readonly #version: object
  readonly #cache: BlockCache
  readonly #blocks: Block[]

  constructor(version: object, cache: BlockCache, blocks: Block[]) {
    this.#version = version
    this.#cache = cache
    this.#blocks = blocks
  }

  static of<R>(rows: readonly R[], { version, cache }: RowEncoding<R>): EncodedBlocks<R> {
    const count = Math.ceil(rows.length / blockSize)
    const blocks = Array.from({ length: count }, (_, index) => ({
      size: Math.min(blockSize, rows.length - index * blockSize),
    }))
    return new EncodedBlocks(version, cache, blocks)
  }

  hasVersion(version: object): boolean {
    return this.#version === version
  }

  /** Adds the encoded rows from `from` up to `to` to `parts`. */
  read(
    rows: readonly R[],
    from: number,
    to: number,
    { serialize }: RowEncoding<R>,
    parts: PagePart[],
  ): void {
    let start = 0
    for (const block of this.#blocks) {
      if (start >= to) return
      const end = start + block.size
      if (end > from) {
        const encode = (part: readonly R[]) => new EncodedRows(part.map(serialize))
        const cached = this.#cache.read(block, () => encode(rows.slice(end - block.size, end)))
        const [first, last] = [Math.max(from, start), Math.min(to, end)]
        if (cached) {
          parts.push(cached.slice(first - start, last - start))
        } else {
          const part = rows.slice(first, last)
          const encoded = new UnsharedRows(() => encode(part))
          this.#cache.add(block, (encoded.byteLength / part.length) * block.size)
          parts.push(encoded)
        }
      }
      start = end
    }
  }

  /** Follows a change of the rows: `deleteCount` rows at `index` became `insertCount` rows. */
  splice(index: number, deleteCount: number, insertCount: number): void {
    let start = 0
    for (const [position, block] of this.#blocks.entries()) {
      const end = start + block.size
      const isLast = position === this.#blocks.length - 1
      if (index < end || isLast) {
        const size = block.size - deleteCount + insertCount
        const half = Math.floor(size / 2)
        const sizes = size > 2 * blockSize ? [half, size - half] : [size]
        this.#blocks.splice(position, 1, ...sizes.map((count) => ({ size: count })))
        this.#cache.forget(block)
        return
      }
      start = end
    }
  }

  /** Frees the blocks in the cache. */
  forget(): void {
    for (const block of this.#blocks) this.#cache.forget(block)
  }

  copy(): EncodedBlocks<R> {
    return new EncodedBlocks(this.#version, this.#cache, this.#blocks.slice())
  }
}
