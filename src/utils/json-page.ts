import { type JsonText, joinJsonRows, rowsLength, utf8Length } from './json.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * The JSON of consecutive rows in one buffer, with a comma before each row. Pages send parts of the buffer, without a
 * copy.
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

  /** The rows from `from` up to `to`, each after its comma. */
  slice(from: number, to: number): Uint8Array {
    return this.bytes.subarray(this.#starts[from], this.#starts[to])
  }
}

/** Rows that are encoded for one page. They drop their bytes when they are sent, because a journal stores pages for long. */
export class UnsharedRows {
  /** In bytes */
  readonly byteLength: number
  readonly #encode: () => EncodedRows
  #bytes: Uint8Array | null

  /** @param encode encodes the rows, always as the same bytes */
  constructor(encode: () => EncodedRows) {
    this.#encode = encode
    this.#bytes = encode().bytes
    this.byteLength = this.#bytes.length
  }

  take(): Uint8Array {
    const bytes = this.#bytes ?? this.#encode().bytes
    this.#bytes = null
    return bytes
  }
}

/** A part of a page: a part of a buffer that pages share, or rows of this page only. Each row is after its comma. */
export type PagePart = Uint8Array | UnsharedRows

/** The rows of a page in parts. */
export class EncodedPage<T> {
  /** The number of rows */
  readonly length: number
  /** The length of the list of rows, in bytes */
  readonly bytes: number
  readonly #parts: readonly PagePart[]
  /** Never set. It carries the type of the rows. */
  declare readonly shape?: T

  constructor(length: number, parts: readonly PagePart[]) {
    this.length = length
    this.#parts = parts
    let bytes = length === 0 ? 2 : 1
    for (const part of parts) bytes += part.byteLength
    this.bytes = bytes
  }

  get text(): string {
    return `[${this.chunks()
      .map((chunk) => decoder.decode(chunk))
      .join('')}]`
  }

  /** The bytes between the brackets. */
  chunks(): Uint8Array[] {
    return this.#parts.map((part, index) => {
      const bytes = part instanceof UnsharedRows ? part.take() : part
      return index === 0 ? bytes.subarray(1) : bytes
    })
  }

  /** The length of all buffers, in bytes: the memory that stays in use while the page is stored. */
  get memory(): number {
    let [memory, last]: [number, object | null] = [0, null]
    for (const part of this.#parts) {
      const buffer = part instanceof UnsharedRows ? part : part.buffer
      // Parts of one buffer stand next to each other.
      if (buffer !== last) memory += buffer.byteLength
      last = buffer
    }
    return memory
  }
}

/** Consecutive rows of a list, and how many rows the list has. */
export class Slice<T> {
  readonly rows: readonly JsonText<T>[] | EncodedPage<T>
  readonly count: number
  /** The id of the row before the first one. Undefined for the first page */
  declare readonly before: number | undefined
  /** The most recent response made of this slice, and the URL of its request. */
  lastPage: { readonly url: string; readonly page: JsonPage<unknown> } | null = null

  constructor(rows: Slice<T>['rows'], count: number, before?: number) {
    this.rows = rows
    this.count = count
    this.before = before
  }

  /** The rows as a JSON list. */
  get text(): string {
    return joinRows(this.rows)
  }
}

function joinRows(rows: Slice<unknown>['rows']): string {
  return rows instanceof EncodedPage ? rows.text : joinJsonRows(rows).text
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
  readonly #head: string
  readonly #rows: Slice<unknown>['rows']
  readonly #tail: string
  #isSent = false
  #encoded: Uint8Array<ArrayBuffer> | null = null
  /** Never set. It carries the type of the value. */
  declare readonly shape?: T

  /** @param head the text before the rows, in front of their list */
  constructor(head: string, { rows }: Slice<unknown>, tail: string) {
    this.#head = head
    this.#rows = rows
    this.#tail = tail
    const bytes = rows instanceof EncodedPage ? rows.bytes : rowsLength(rows)
    this.bytes = utf8Length(head) + bytes + utf8Length(tail)
  }

  get text(): string {
    return `${this.#head}${joinRows(this.#rows)}${this.#tail}`
  }

  /** The beginning of the text, up to the rows. */
  get head(): string {
    return this.#head
  }

  /** The memory that stays in use while the page is stored, in bytes. */
  get memory(): number {
    return this.#rows instanceof EncodedPage ? this.#rows.memory : this.bytes
  }

  /** The text for a transport, in parts. A page that is sent again has one part. Few are, so it is stored. */
  chunks(): readonly (string | Uint8Array)[] {
    if (this.#isSent) {
      this.#encoded ??= this.join()
      return [this.#encoded]
    }
    this.#isSent = true
    if (!(this.#rows instanceof EncodedPage)) return [this.text]
    return [`${this.#head}[`, ...this.#rows.chunks(), `]${this.#tail}`]
  }

  /** The bytes of the text, in a buffer of their own. */
  join(): Uint8Array<ArrayBuffer> {
    if (!(this.#rows instanceof EncodedPage)) return encoder.encode(this.text)
    const bytes = new Uint8Array(this.bytes)
    let { written: end } = encoder.encodeInto(`${this.#head}[`, bytes)
    for (const chunk of this.#rows.chunks()) {
      bytes.set(chunk, end)
      end += chunk.length
    }
    encoder.encodeInto(`]${this.#tail}`, bytes.subarray(end))
    return bytes
  }
}
