/** Any JSON value. TypeScript gives the objects in a list of a JSON module the fields of all of them, as undefined. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json | undefined }

/** A row that a client received, and may change. */
export type Mutable<Row> = { -readonly [Field in keyof Row]: Row[Field] }

/** Whether a value is an object with named fields: not a list, and not null. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isSameJson(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}

/** Replaces the values of an object, or of a list without their names. Returns the same object if no value changes. */
export function mapValues<T extends object>(
  values: T,
  map: (value: unknown, name: string) => unknown,
): T {
  const source = values as Record<string, unknown>
  let copy: Record<string, unknown> | null = null
  const replace = (name: string | number, mapped: unknown): void => {
    if (mapped === source[name]) return
    copy ??= (Array.isArray(source) ? [...source] : { ...source }) as Record<string, unknown>
    copy[name] = mapped
  }
  // A loop over the numbers takes a third of the time of one over the keys.
  if (Array.isArray(source))
    for (let at = 0; at < source.length; at++) replace(at, map(source[at], ''))
  else for (const name of Object.keys(source)) replace(name, map(source[name], name))
  return (copy ?? values) as T
}

/** A text without the mark that .NET and some editors write before it. Clients leave it out, too. */
export function withoutByteOrderMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}

export interface ParsedJson {
  readonly value: unknown
}

/** How deep a value can be nested to be read by recursion. Rows have less. */
export const maxLevels = 1000

/**
 * Parses JSON without throwing. The value is wrapped. `undefined` means invalid JSON, or JSON that is nested so deep
 * that reading it would overflow the stack.
 */
export function tryParseJson(text: string): ParsedJson | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isNestedDeeper(text) ? undefined : { value }
  } catch {
    return undefined
  }
}

/** Whether a text of JSON has a value within {@link maxLevels}. To read the value itself takes three times as long. */
export function isNestedDeeper(text: string): boolean {
  let level = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string
    if (character === ']' || character === '}') level -= 1
    else if (level === maxLevels && character > ' ') return true
    else if (character === '[' || character === '{') level += 1
    else if (character === '"') while (text[++at] !== '"') if (text[at] === '\\') at += 1
  }
  return false
}

/** Parses the body of a message without throwing, in any case without a byte order mark. Undefined if it is not JSON */
export function readJsonBody(text: string): ParsedJson | undefined {
  return tryParseJson(withoutByteOrderMark(text))
}

/**
 * Whether a JSON value has a value within so many lists and objects, also in an object that contains itself. It recurses as
 * far as the depth, and creates nothing, since pages can have millions of values.
 */
export function isDeeperThan(depth: number, value: unknown): boolean {
  if (depth === 0) return true
  if (Array.isArray(value)) {
    // Half the time of `some`.
    for (const child of value) if (isDeeperThan(depth - 1, child)) return true
  } else if (isObject(value))
    for (const name in value) if (isDeeperThan(depth - 1, value[name])) return true
  return false
}

/** The message of an error. Empty without one: a foreign service can send an object that has no text. */
export function detailOf(body: unknown): string {
  return isObject(body) && typeof body.detail === 'string' ? body.detail : ''
}

/** The longest text of Node. No longer one can be parsed, so no body can be longer. */
export const maxTextLength = 536_870_888

export class JsonText<T> {
  /** Headers to add to those of the operation */
  readonly headers: Readonly<Record<string, string>> | undefined
  /** Never set. It carries the type of the value. */
  declare readonly shape?: T
  /** Its bytes, if they are kept: they are read before it is written. Who sends them must not change them. */
  readonly parts: readonly (string | Uint8Array)[] | undefined
  readonly #text: string | (() => string)
  #bytes: number | undefined

  /**
   * @param text the text, or what writes it each time it is read
   * @param bytes its length, if it is known
   */
  constructor(
    text: string | (() => string),
    headers?: JsonText<T>['headers'],
    bytes?: number,
    parts?: JsonText<T>['parts'],
  ) {
    this.#text = text
    this.headers = headers
    this.#bytes = bytes
    this.parts = parts
  }

  /** The same, without the bytes, which are slices of larger ones. */
  withoutParts(): JsonText<T> {
    return this.parts ? new JsonText<T>(this.#text, this.headers, this.#bytes) : this
  }

  get text(): string {
    if (typeof this.#text === 'string') return this.#text
    return this.parts?.map(partText).join('') ?? this.#text()
  }

  /** The length of the text in UTF-8 */
  get bytes(): number {
    this.#bytes ??= utf8Length(this.text)
    return this.#bytes
  }
}

const decoder = new TextDecoder()

function partText(part: string | Uint8Array): string {
  return typeof part === 'string' ? part : decoder.decode(part)
}

export function toJsonText<T>(value: T): JsonText<T> {
  return new JsonText(JSON.stringify(value))
}

/** The JSON of a list, which is joined each time it is read. @param start what precedes its rows @param end what follows them */
export function joinJsonRows<T>(
  texts: readonly JsonText<unknown>[],
  start = '[',
  end = ']',
): JsonText<T> {
  const write = (): string => start + texts.map(({ text }) => text).join(',') + end
  const around = utf8Length(start) + utf8Length(end) + Math.max(0, texts.length - 1)
  return new JsonText<T>(
    write,
    undefined,
    texts.reduce((sum, { bytes }) => sum + bytes, around),
  )
}

/** The length of a text in UTF-8, in bytes. Most texts are ASCII, and need no copy. */
export function utf8Length(text: string): number {
  return /[^ -~]/.test(text) ? new TextEncoder().encode(text).length : text.length
}

/** So many parts are joined to one. */
const joinedParts = 1_000

/** Bytes that arrive in parts. The sender can choose parts of one byte, each of which takes some hundred beside it. */
export class ByteParts {
  /** Of all parts together, in bytes */
  length = 0
  readonly #parts: Uint8Array[] = []
  /** How many of the latest parts are not joined yet */
  #latest = 0

  add(part: Uint8Array): void {
    this.length += part.length
    this.#parts.push(part)
    this.#latest += 1
    if (this.#latest < joinedParts) return
    this.#parts.push(joinBytes(this.#parts.splice(-joinedParts)))
    this.#latest = 0
  }

  /** All bytes, which it no longer keeps. A single part is no copy. */
  take(): Uint8Array {
    const parts = this.#parts.splice(0)
    return parts.length === 1 ? (parts[0] as Uint8Array) : joinBytes(parts)
  }
}

/** @note Not by `Blob`: the one of jsdom cannot be read. */
function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  for (const part of parts) {
    bytes.set(part, end)
    end += part.length
  }
  return bytes
}

/** The value in a value to which names and indexes lead. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce(
    (inner, step) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[step],
    value,
  )
}
