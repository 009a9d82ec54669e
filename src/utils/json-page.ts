import { type JsonText, joinJsonRows, utf8Length } from './json.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * The JSON of consecutive rows in one buffer, with a comma before each row. Pages share it, and send parts of it without
 * a copy.
 */
export class EncodedRows {
  /** All rows, each after its comma */
  readonly bytes: Uint8Array
  /** Where the comma before each row is, then the end of the last row */
  readonly #starts: Uint32Array

  constructor(rows: readonly JsonText<unknown>[]) {
    const starts = new Uint32Array(rows.length + 1)
    let text = ''
    let end = 0
    for (let index = 0; index < rows.length; index++) {
      const row = rows[index] as JsonText<unknown>
      text += `,${row.text}`
      end += row.bytes + 1
      starts[index + 1] = end
    }
    // Twice as fast as `encode`, which does not know the length.
    this.bytes = new Uint8Array(end)
    encoder.encodeInto(text, this.bytes)
    this.#starts = starts
  }

  /** The rows from `from` up to `to`. */
  part(from: number, to: number): PagePart {
    const { bytes } = this
    const [start = 0, end = 0] = [this.#starts[from], this.#starts[to]]
    const read = () => bytes.subarray(start, end)
    return { byteLength: end - start, memory: bytes.length, read }
  }
}

/** Consecutive rows of a page. Their bytes are in a buffer that pages share, in a cache, or made when they are sent. */
export interface PagePart {
  readonly byteLength: number
  /** The memory that stays in use while the page is stored, in bytes */
  readonly memory: number
  /** The bytes of the rows, each after its comma */
  read(): Uint8Array
}

/** Keeps encoded rows and pages, as long as there is room for them. */
export interface ByteCache {
  /** The value of a key; null for a key without one yet, undefined for an unknown key */
  get<T>(key: object): T | null | undefined
  /** @param bytes its size, or the one that it would have */
  add(key: object, bytes: number, value?: object): void
  forget(key: object): void
}

/** The rows of a page in parts. */
export class EncodedPage<T> {
  /** The length of the list of rows, in bytes */
  readonly bytes: number
  /** The memory that stays in use while the page is stored, in bytes. Rows without bytes are also in the world. */
  memory = 0
  readonly parts: readonly PagePart[]
  /** Keeps pages that are sent again. */
  readonly cache: ByteCache
  /** Never set. It carries the type of the rows. */
  declare readonly shape?: T

  constructor(parts: readonly PagePart[], cache: ByteCache) {
    this.parts = parts
    this.cache = cache
    let bytes = 1
    for (const { byteLength, memory } of parts) {
      bytes += byteLength
      this.memory += memory
    }
    // The bracket takes the place of the first comma, if there is one.
    this.bytes = Math.max(2, bytes)
  }

  get text(): string {
    return `[${this.chunks()
      .map((chunk) => decoder.decode(chunk))
      .join('')}]`
  }

  /** The bytes between the brackets. */
  chunks(): Uint8Array[] {
    return this.parts.map((part, index) => {
      const bytes = part.read()
      return index === 0 ? bytes.subarray(1) : bytes
    })
  }
}

/** Consecutive rows of a list, and how many rows the list has. */
export class Slice<T> {
  readonly rows: JsonText<T[]> | EncodedPage<T>
  readonly count: number
  /** The id of the row before the first one. Undefined for the first page */
  declare readonly before: number | undefined
  /** The most recent response made of this slice, and the URL of its request. */
  lastPage: { readonly url: string; readonly page: JsonPage<unknown> } | null = null

  constructor(rows: readonly JsonText<T>[] | EncodedPage<T>, count: number, before?: number) {
    this.rows = 'cache' in rows ? rows : joinJsonRows(rows)
    this.count = count
    this.before = before
  }

  /** Frees the bytes of the page that was sent again. */
  forget(): void {
    if (this.lastPage && 'cache' in this.rows) this.rows.cache.forget(this.lastPage.page)
  }
}

/** Takes one page from a list of all rows. */
export function sliceRows<T>(
  rows: readonly JsonText<T>[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Slice<T> {
  return new Slice(rows.slice(offset, offset + limit), rows.length)
}

/** A JSON value that contains a slice. It is sent as bytes, and its text is joined only if code reads it. */
export class JsonPage<T> {
  /** The length of the text, in bytes */
  readonly bytes: number
  /** The beginning of the text, up to the rows */
  readonly head: string
  readonly rows: Slice<unknown>['rows']
  #isSent = false
  /** Never set. It carries the type of the value. */
  declare readonly shape?: T

  /** @param head the text before the rows, in front of their list. A brace follows the list */
  constructor(head: string, { rows }: Slice<unknown>) {
    this.head = head
    this.rows = rows
    this.bytes = utf8Length(head) + rows.bytes + 1
  }

  get text(): string {
    return `${this.head}${this.rows.text}}`
  }

  /** The memory that stays in use while the page is stored, in bytes. */
  get memory(): number {
    return 'cache' in this.rows ? this.rows.memory : this.bytes
  }

  /** The text for a transport, in parts. A page that is sent again has one part. */
  chunks(): readonly (string | Uint8Array)[] {
    const { rows } = this
    if (!this.#isSent || !('cache' in rows)) {
      this.#isSent = true
      return this.#parts()
    }
    const kept = rows.cache.get<Uint8Array>(this)
    const bytes = kept ?? this.join()
    if (!kept) rows.cache.add(this, bytes.length, bytes)
    return [bytes]
  }

  /** The bytes of the text, in a buffer of their own. */
  join(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.bytes)
    let end = 0
    for (const part of this.#parts()) {
      const chunk = typeof part === 'string' ? encoder.encode(part) : part
      bytes.set(chunk, end)
      end += chunk.length
    }
    return bytes
  }

  #parts(): (string | Uint8Array)[] {
    const { rows } = this
    return 'cache' in rows ? [`${this.head}[`, ...rows.chunks(), ']}'] : [this.text]
  }
}
