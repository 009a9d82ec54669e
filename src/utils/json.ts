/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** A row that a client received, and may change. */
export type Mutable<Row> = { -readonly [Field in keyof Row]: Row[Field] }

/** Whether a value is an object with named fields: not a list, and not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

type MapValue = (value: unknown, name: string) => unknown

/** Replaces the values of an object or a list, by name or index. Returns the same object if no value changes. */
export function mapValues<T extends object>(values: T, map: MapValue): T {
  const source = values as Record<string, unknown>
  let copy: Record<string, unknown> | null = null
  for (const name of Object.keys(source)) {
    const mapped = map(source[name], name)
    if (mapped === source[name]) continue
    copy ??= shallowCopy(source)
    copy[name] = mapped
  }
  return (copy ?? values) as T
}

/** Replaces the values of an object or a list. Returns a copy even if no value changes. */
export function mapValuesToCopy<T extends object>(values: T, map: MapValue): T {
  const mapped = mapValues(values, map)
  return mapped === values ? shallowCopy(values) : mapped
}

function shallowCopy<T extends object>(values: T): T {
  return (Array.isArray(values) ? [...values] : { ...values }) as T
}

export interface ParsedJson {
  readonly value: unknown
}

/**
 * Parses JSON of any depth without throwing: the API has its own limit. The value is wrapped, so that `undefined` always
 * means invalid JSON.
 */
export function tryParseAnyJson(text: string): ParsedJson | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/**
 * Iterates over the levels of a JSON value: the value itself, then its children, then their children. It does not
 * recurse, so deep nesting cannot overflow the stack.
 */
export function* jsonLevels(value: unknown): Generator<readonly unknown[], undefined> {
  for (let level: unknown[] = [value]; level.length > 0; ) {
    yield level
    const nextLevel: unknown[] = []
    for (const parent of level) {
      if (typeof parent !== 'object' || parent === null) continue
      for (const child of Array.isArray(parent) ? parent : Object.values(parent)) {
        nextLevel.push(child)
      }
    }
    level = nextLevel
  }
}

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
  /** For a response that differs from others of its operation: its status, and headers to add */
  declare readonly status?: number
  declare readonly headers?: Readonly<Record<string, string>>
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

/** A value whose response has another status, or more headers, than usual. */
export function withHead<T>(
  { text, bytes }: JsonText<T>,
  head: Pick<JsonText<T>, 'status' | 'headers'>,
): JsonText<T> {
  return Object.assign(new JsonText<T>(text, bytes), head)
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
  let text = ''
  let bytes = 2
  for (const row of rows) {
    if (text) text += ','
    text += row.text
    bytes += row.bytes + 1
  }
  return new JsonText(`[${text}]`, text ? bytes - 1 : bytes)
}

const nonAscii = /[^\0-\x7f]/

/** A text of this many characters is encoded faster than a regular expression scans it. */
const encodeThreshold = 500

export function utf8Length(text: string): number {
  const isPlain = text.length < encodeThreshold && !nonAscii.test(text)
  return isPlain ? text.length : new TextEncoder().encode(text).length
}
