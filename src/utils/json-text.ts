/**
 * A value as it goes over the wire: its JSON text, and how many bytes of UTF-8 that is. Rows keep theirs
 * until they change, so that a page is a join of texts whose length is known.
 */
export class JsonText<T> {
  readonly text: string
  readonly bytes: number
  /** Never set: it carries the type of the value. */
  declare readonly shape?: T

  constructor(text: string, bytes: number = utf8Length(text)) {
    this.text = text
    this.bytes = bytes
  }
}

/**
 * A value whose text was put together from rows. The rows are kept anyway: whoever keeps the value keeps them, and
 * not a text of many thousand characters that nobody else has.
 */
export class JsonPage<T> extends JsonText<T> {
  readonly parts: JsonPageParts
  #sent = 0
  #encoded: Uint8Array | null = null

  constructor(pieces: JsonPageParts) {
    const { head, rows, tail } = pieces
    const joined = joinJsonRows(rows)
    super(`${head}${joined.text}${tail}`, utf8Length(head) + joined.bytes + utf8Length(tail))
    this.parts = pieces
  }

  /** Its bytes, for one that is sent again; null the first time, which for most is the only one. */
  bytesIfRepeated(): Uint8Array | null {
    this.#sent += 1
    if (this.#sent > 1) this.#encoded ??= new TextEncoder().encode(this.text)
    return this.#encoded
  }
}

/** Rows, and what stands before and after them. */
export interface JsonPageParts {
  readonly head: string
  readonly rows: readonly JsonText<unknown>[]
  readonly tail: string
}

/** The text that pieces make. */
export function joinPageParts({ head, rows, tail }: JsonPageParts): string {
  return `${head}${joinJsonRows(rows).text}${tail}`
}

/** @example toWire({ id: 1 }).text // '{"id":1}' */
export function toJsonText<T>(value: T): JsonText<T> {
  return new JsonText(JSON.stringify(value))
}

const plainAscii = /^[ !#-[\]-~]*$/

/** Whether a text stands in JSON as it is, a byte for each character: most do. */
export function isPlainAscii(text: string | null): boolean {
  return text === null || plainAscii.test(text)
}

// Control characters and surrogates have escapes in JSON, besides the two that everybody knows.
const needsEscape = /["\\\p{Cc}\p{Cs}]/u

/** A text, or null, as JSON. Most need nothing but quotes, which is many times faster. */
export function quoteJson(text: string | null): string {
  if (text === null) return 'null'
  return needsEscape.test(text) ? JSON.stringify(text) : `"${text}"`
}

/** The same value in one piece. */
export function flattenJsonText<T>(wire: JsonText<T>): JsonText<T> {
  flattenString(wire.text)
  return wire
}

/**
 * Has the engine put a text into one piece: one that was joined is kept as its pieces, which are dear to join again
 * and again, and to keep.
 */
export function flattenString(text: string): void {
  text.charCodeAt(text.length - 1)
}

/** A part of a list: the rows asked for, and how many there are in all. */
export class Slice<T> {
  readonly rows: readonly JsonText<T>[]
  readonly count: number
  /** The page that it was last sent as, and the address that was asked for it. */
  lastPage: { readonly url: string; readonly page: JsonPage<unknown> } | null = null

  constructor(rows: readonly JsonText<T>[], count: number) {
    this.rows = rows
    this.count = count
  }
}

/** The part of a list that is held whole. */
export function sliceRows<T>(
  rows: readonly JsonText<T>[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Slice<T> {
  return new Slice(rows.slice(offset, offset + limit), rows.length)
}

/** `{"name": value}` around a value that is text already. */
export function nestJson<Name extends string, T>(
  name: Name,
  { text, bytes }: JsonText<T>,
): JsonText<{ [Key in Name]: T }> {
  return new JsonText(`{"${name}":${text}}`, bytes + name.length + 5)
}

/** `[a, b, …]` of rows that are text already. */
export function joinJsonRows<T>(rows: readonly JsonText<T>[]): JsonText<T[]> {
  let text = '['
  let bytes = rows.length > 0 ? rows.length + 1 : 2
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] as JsonText<T>
    text += index === 0 ? row.text : `,${row.text}`
    bytes += row.bytes
  }
  return new JsonText(`${text}]`, bytes)
}

const nonAscii = /[^\0-\x7f]/

/** From here on, in characters, a text is encoded in less time than it is looked through. */
const encodeThreshold = 500

/** How many bytes of UTF-8 a text is. */
export function utf8Length(text: string): number {
  const isPlain = text.length < encodeThreshold && !nonAscii.test(text)
  return isPlain ? text.length : new TextEncoder().encode(text).length
}
