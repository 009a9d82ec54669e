/** The longest string of V8. No longer text can be parsed, so no body and no state file can be longer. */
export const maxTextLength = 536_870_888

/**
 * A value as JSON text, with the length of the text in bytes of UTF-8. Each row caches its text until it changes, so a
 * page is a join of cached texts of known length.
 */
export class JsonText<T> {
  readonly text: string
  readonly bytes: number
  /** Writes the text again. The journal stores it instead of the text, because it takes less memory. */
  readonly source: TextSource | undefined
  /** Never set. It carries the type of the value. */
  declare readonly shape?: T

  constructor(text: string, bytes: number = utf8Length(text), source?: TextSource) {
    this.text = text
    this.bytes = bytes
    this.source = source
  }
}

/** Writes a text when it is read, each time the same. */
export type TextSource = Pick<JsonText<unknown>, 'text'>

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
export function flattenString(text: string): string {
  text.charCodeAt(text.length - 1)
  return text
}

export function nestJson<Name extends string, T>(
  name: Name,
  { text, bytes }: JsonText<T>,
): JsonText<{ [Key in Name]: T }> {
  return new JsonText(`{"${name}":${text}}`, bytes + name.length + 5)
}

export function joinJsonRows<T>(rows: readonly JsonText<T>[]): JsonText<T[]> {
  let text = '['
  for (let index = 0; index < rows.length; index++) {
    const row = rows[index] as JsonText<T>
    text += index === 0 ? row.text : `,${row.text}`
  }
  return new JsonText(`${text}]`, rowsLength(rows))
}

/** The length of the list of the rows, in bytes. */
export function rowsLength(rows: readonly JsonText<unknown>[]): number {
  let bytes = rows.length > 0 ? rows.length + 1 : 2
  for (const row of rows) bytes += row.bytes
  return bytes
}

const nonAscii = /[^\0-\x7f]/

/** A text of this many characters is encoded faster than a regular expression scans it. */
const encodeThreshold = 500

export function utf8Length(text: string): number {
  const isPlain = text.length < encodeThreshold && !nonAscii.test(text)
  return isPlain ? text.length : new TextEncoder().encode(text).length
}
