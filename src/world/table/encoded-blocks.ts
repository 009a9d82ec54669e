import type { JsonText } from '../../utils/json.ts'
import { type ByteCache, EncodedRows, type PagePart } from '../../utils/json-page.ts'

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
const defaultMemory = 64 * 1_048_576

/** Consecutive rows of a chunk. A write replaces the object. */
interface Block {
  readonly size: number
  /** Whether no write has replaced it. Then all forks share its bytes. */
  readonly isInitial?: true
  /** Its bytes, if the cache has lost them and pages still have them */
  shared?: WeakRef<EncodedRows>
}

/**
 * The encoded blocks of all worlds of a simulator, and pages that were sent again. A full cache starts again, which takes
 * constant time. From then on, it keeps a block only when it is read again soon: pages of a larger world do not evict
 * each other.
 */
export class BlockCache implements ByteCache {
  /** Blocks and pages that were read, with their bytes if they were read again */
  #entries = new WeakMap<object, { readonly bytes: number; readonly value: object | null }>()
  #bytes = 0
  #wasFull = false
  /** In bytes */
  limit: number

  constructor(limit: number = defaultMemory) {
    this.limit = limit
  }

  get<T>(key: object): T | null | undefined {
    return this.#entries.get(key)?.value as T
  }

  /** Returns the rows of a block, or null if it is too early to keep them. @param encode encodes all of them */
  read(block: Block, encode: () => EncodedRows): EncodedRows | null {
    const cached = block.shared?.deref() ?? this.get<EncodedRows>(block)
    if (cached || (cached === undefined && this.#wasFull)) return cached ?? null
    const rows = encode()
    if (block.isInitial) block.shared = new WeakRef(rows)
    this.add(block, rows.bytes.length, rows)
    return rows
  }

  add(key: object, bytes: number, value: object | null = null): void {
    this.forget(key)
    this.#bytes += bytes
    if (this.#bytes > this.limit) {
      this.#entries = new WeakMap()
      this.#bytes = bytes
      this.#wasFull = true
    }
    this.#entries.set(key, { bytes, value })
  }

  forget(key: object): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0
    this.#entries.delete(key)
  }
}

/**
 * Rows of a page. Their bytes are dropped when they are sent, and found or made again after that, always the same ones:
 * journals store pages for long.
 *
 * @param find finds the bytes in a cache
 */
export function encodedPart<R>(
  rows: readonly R[],
  serialize: RowEncoding<R>['serialize'],
  find?: () => Uint8Array | undefined,
): PagePart {
  const make = () => find?.() ?? encodeRows(rows, serialize).bytes
  let unsent: Uint8Array | null = make()
  return {
    byteLength: unsent.length,
    // The rows are also in the world.
    memory: unsent.length >> 2,
    read() {
      const bytes = unsent ?? make()
      unsent = null
      return bytes
    },
  }
}

function encodeRows<R>(rows: readonly R[], serialize: RowEncoding<R>['serialize']): EncodedRows {
  return new EncodedRows(rows.map(serialize))
}

/** The encoded rows of a chunk, in blocks that are encoded when they are read. */
export class EncodedBlocks<R> {
  readonly version: object
  readonly cache: BlockCache
  readonly #blocks: Block[]

  constructor({ version, cache }: Pick<RowEncoding<R>, 'version' | 'cache'>, blocks: Block[]) {
    this.version = version
    this.cache = cache
    this.#blocks = blocks
  }

  static of<R>({ size }: { readonly size: number }, encoding: RowEncoding<R>): EncodedBlocks<R> {
    const blocks: Block[] = []
    for (let left = size; left > 0; left -= blockSize) {
      blocks.push({ size: Math.min(blockSize, left), isInitial: true })
    }
    return new EncodedBlocks(encoding, blocks)
  }

  /** Adds the encoded rows from `from` up to `to` to `parts`. */
  read(
    rows: { slice(from: number, to: number): R[] },
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
        const { cache } = this
        const [first, last] = [Math.max(from, start), Math.min(to, end)]
        const [one, other] = [first - start, last - start]
        const cached = cache.read(block, () => encodeRows(rows.slice(start, end), serialize))
        const find = () => cache.get<EncodedRows>(block)?.part(one, other).read()
        // A journal may keep these bytes, which all forks share, but not those of each fork.
        const part =
          cached && block.isInitial
            ? cached.part(one, other)
            : encodedPart(rows.slice(first, last), serialize, find)
        if (!cached) cache.add(block, (part.byteLength / (last - first)) * block.size)
        parts.push(part)
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
        this.cache.forget(block)
        return
      }
      start = end
    }
  }

  /** Frees the blocks in the cache. */
  forget(): void {
    for (const block of this.#blocks) this.cache.forget(block)
  }

  copy(): EncodedBlocks<R> {
    return new EncodedBlocks(this, this.#blocks.slice())
  }
}
