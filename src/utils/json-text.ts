/** The longest string of V8. No longer text can be parsed, so no body and no state file can be longer. */
export const maxTextLength = 536_870_888

/**
 * A value as JSON text, with the length of the text in bytes of UTF-8. Each row caches its text until it changes, so a
 * page is a join of cached texts of known length.
 */
export class JsonText<T> {
  readonly text: string
  readonly bytes: number
  /** Never set. It carries the type of the value. */
  declare readonly shape?: T

  constructor(text: string, bytes: number = utf8Length(text)) {
    this.text = text
    this.bytes = bytes
  }
}

/**
 * A value whose text was joined from rows. The rows stay in memory anyway, so the journal can store these parts instead
 * of a long text of its own.
 */
export class JsonPage<T> extends JsonText<T> {
  readonly parts: JsonPageParts
  #sentCount = 0
  #encoded: Uint8Array | null = null

  constructor(parts: JsonPageParts) {
    const { head, rows, tail } = parts
    const joined = joinJsonRows(rows)
    super(`${head}${joined.text}${tail}`, utf8Length(head) + joined.bytes + utf8Length(tail))
    this.parts = parts
  }

  /** Returns the encoded text, or null the first time: most pages are sent only once. */
  bytesIfRepeated(): Uint8Array | null {
    this.#sentCount += 1
    if (this.#sentCount > 1) this.#encoded ??= new TextEncoder().encode(this.text)
    return this.#encoded
  }
}

/** The rows of a page, and the text before and after them. */
export interface JsonPageParts {
  readonly head: string
  readonly rows: readonly JsonText<unknown>[]
  readonly tail: string
}

export function joinPageParts({ head, rows, tail }: JsonPageParts): string {
  return `${head}${joinJsonRows(rows).text}${tail}`
}

/** A value whose response has more headers than usual. */
export class JsonTextWithHeaders<T> extends JsonText<T> {
  readonly headers: Readonly<Record<string, string>>

  constructor({ text, bytes }: JsonText<T>, headers: Readonly<Record<string, string>>) {
    super(text, bytes)
    this.headers = headers
  }
}

export function toJsonText<T>(value: T): JsonText<T> {
  return new JsonText(JSON.stringify(value))
}

const plainAscii = /^[ !#-[\]-~]*$/

/** Whether a text needs no escaping in JSON and takes one byte per character. */
export function isPlainAscii(text: string | null): boolean {
  return text === null || plainAscii.test(text)
}

// Quotes, backslashes, control characters and surrogates.
const needsEscape = /["\\\p{Cc}\p{Cs}]/u

/** Converts a text, or null, to JSON. Many times faster than JSON.stringify for a text that needs no escaping. */
export function quoteJson(text: string | null): string {
  if (text === null) return 'null'
  return needsEscape.test(text) ? JSON.stringify(text) : `"${text}"`
}

/**
 * Makes the engine store a concatenated string in one piece. Engines store the pieces at first, which takes more memory
 * and has to be flattened on each use.
 */
export function flattenString(text: string): void {
  text.charCodeAt(text.length - 1)
}

export class Slice<T> {
  readonly rows: readonly JsonText<T>[]
  readonly count: number
  /** The most recent response made of this slice, and the URL of its request. */
  lastPage: { readonly url: string; readonly page: JsonPage<unknown> } | null = null

  constructor(rows: readonly JsonText<T>[], count: number) {
    this.rows = rows
    this.count = count
  }
}

/** Takes one page from a list of all rows. */
export function sliceRows<T>(
  rows: readonly JsonText<T>[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Slice<T> {
  return new Slice(rows.slice(offset, offset + limit), rows.length)
}

export function nestJson<Name extends string, T>(
  name: Name,
  { text, bytes }: JsonText<T>,
): JsonText<{ [Key in Name]: T }> {
  return new JsonText(`{"${name}":${text}}`, bytes + name.length + 5)
}

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

/** A text of this many characters is encoded faster than a regular expression scans it. */
const encodeThreshold = 500

export function utf8Length(text: string): number {
  const isPlain = text.length < encodeThreshold && !nonAscii.test(text)
  return isPlain ? text.length : new TextEncoder().encode(text).length
}
