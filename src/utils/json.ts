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

/** The longest string of V8. No longer text can be parsed, so no body can be longer. */
export const maxTextLength = 536_870_888

/** A value as JSON text. */
export class JsonText<T> {
  readonly text: string
  /** Headers to add to those of the operation */
  declare readonly headers?: Readonly<Record<string, string>>
  /** Never set. It carries the type of the value. */
  declare readonly shape?: T

  constructor(text: string) {
    this.text = text
  }
}

/** A value whose response has more headers than usual. */
export function withHead<T>(
  { text }: JsonText<T>,
  head: Pick<JsonText<T>, 'headers'>,
): JsonText<T> {
  return Object.assign(new JsonText<T>(text), head)
}

export function toJsonText<T>(value: T): JsonText<T> {
  return new JsonText(JSON.stringify(value))
}

export function nestJson<Name extends string, T>(
  name: Name,
  { text }: JsonText<T>,
): JsonText<{ [Key in Name]: T }> {
  return new JsonText(`{"${name}":${text}}`)
}

export function joinJsonRows<T>(rows: readonly JsonText<T>[]): JsonText<T[]> {
  return new JsonText(`[${rows.map(({ text }) => text).join(',')}]`)
}

/** The length of a text in UTF-8, in bytes. A long text is encoded in parts: a copy of all of it takes much longer. */
export function utf8Length(text: string): number {
  const encoder = new TextEncoder()
  const bytes = new Uint8Array(Math.min(3 * text.length, maxPart))
  let length = 0
  for (let from = 0; from < text.length; ) {
    // It ends before a character that does not fit, so no pair of surrogates is split.
    const { read, written } = encoder.encodeInto(text.slice(from), bytes)
    from += read
    length += written
  }
  return length
}

const maxPart = 16_384
