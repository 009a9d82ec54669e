import type { Path } from '../../utils/errors.ts'
import { isObject, type Json, mapValues } from '../../utils/json.ts'

/** The values that earlier steps saved, by name. Always contains `base_url`. */
export type SavedValues = Pick<ReadonlyMap<string, unknown>, 'get' | 'has'>

/** At most so many values are copied for each step that saves one. */
const maxCopied = 64

/** Saved values that never change: one more makes another map, which shares the earlier ones. */
export class SavedMap implements SavedValues {
  readonly #earlier: ReadonlyMap<string, unknown>
  readonly #latest: ReadonlyMap<string, unknown>

  constructor(
    earlier: ReadonlyMap<string, unknown>,
    latest: ReadonlyMap<string, unknown> = new Map(),
  ) {
    this.#earlier = earlier
    this.#latest = latest
  }

  get(name: string): unknown {
    return this.#latest.has(name) ? this.#latest.get(name) : this.#earlier.get(name)
  }

  has(name: string): boolean {
    return this.#latest.has(name) || this.#earlier.has(name)
  }

  with(values: ReadonlyMap<string, unknown>): SavedMap {
    if (values.size === 0) return this
    const latest = new Map([...this.#latest, ...values])
    if (latest.size <= maxCopied) return new SavedMap(this.#earlier, latest)
    return new SavedMap(new Map([...this.#earlier, ...latest]))
  }

  all(): Map<string, unknown> {
    return new Map([...this.#earlier, ...this.#latest])
  }
}

/** `{name}` is a saved value. `{{name}}` is the text `{name}`. */
const namePattern = /\{\{(\w+)\}\}|\{(\w+)\}/g

export const specialKeywords = ['$saved', '$match', '$literal'] as const

/** An object with a single field, which gives it a special meaning: `{ "$saved": "id" }`. */
export interface SpecialValue {
  readonly keyword: (typeof specialKeywords)[number]
  readonly value: unknown
}

/** Parses a special value. Returns null for any other value. */
export function toSpecialValue(value: unknown): SpecialValue | null {
  if (!isObject(value)) return null
  const names = Object.keys(value)
  const [name = ''] = names
  if (names.length !== 1 || !specialKeywords.includes(name as SpecialValue['keyword'])) return null
  return { keyword: name as SpecialValue['keyword'], value: value[name] }
}

export interface NameReference {
  readonly name: string
  readonly path: Path
}

/** Whether `$saved` gives a value as it is, and not a text that contains some. */
function isName(text: string): boolean {
  return /^\w+$/.test(text)
}

/** Each once: a text can have one a thousand times. */
export function findNamesInText(text: string): string[] {
  if (!text.includes('{')) return []
  const names = Array.from(text.matchAll(namePattern), ([, , name]) => name ?? '')
  return [...new Set(names)].filter(Boolean)
}

export function findNames(value: unknown, within: Path): NameReference[] {
  const references: NameReference[] = []
  // One list, since to copy that of each deep value would take long.
  const path = [...within]
  const search = (inner: unknown): void => {
    if (typeof inner !== 'object' || inner === null) return
    const special = toSpecialValue(inner)
    if (special?.keyword === '$literal') return
    if (special?.keyword === '$saved') {
      const text = String(special.value)
      for (const name of isName(text) ? [text] : findNamesInText(text))
        references.push({ name, path: [...path] })
      return
    }
    const isList = Array.isArray(inner)
    for (const [step, part] of isList ? inner.entries() : Object.entries(inner)) {
      path.push(step)
      search(part)
      path.pop()
    }
  }
  search(value)
  return references
}

export function fillText(text: string, saved: SavedValues): string {
  if (!text.includes('{')) return text
  return text.replace(namePattern, (_, escaped?: string, name?: string) =>
    escaped === undefined ? String(saved.get(name as string)) : `{${escaped}}`,
  )
}

/** Doubles braces around names, so that a step does not read them as saved values. */
export function escapeBraces(text: string): string {
  return text.replace(/\{(\w+)\}/g, '{{$1}}')
}

/** Replaces the names in a JSON value by saved values. Matchers stay. Returns the same value if it has no names. */
export function fillValue(value: unknown, saved: SavedValues): unknown {
  if (typeof value !== 'object' || value === null) return value
  const special = toSpecialValue(value)
  if (special?.keyword === '$literal') return value
  if (special?.keyword === '$saved') {
    const text = special.value as string
    return isName(text) ? saved.get(text) : fillText(text, saved)
  }
  return mapValues(value, (inner) => fillValue(inner, saved))
}

/** Replaces the names in a JSON value by saved values, and unwraps literals. A value that the recording left out is undefined. */
export function fillForSending(value: unknown, saved: SavedValues): unknown {
  return unwrap(fillValue(value, saved))
}

function unwrap(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const special = toSpecialValue(value)
  if (special?.keyword === '$match') return undefined
  return special ? special.value : mapValues(value, unwrap)
}

/** Wraps the outermost objects with fields that begin with `$` as literals. What is around them is still checked. */
export function escapeLiterals(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Object.keys(value).some((name) => name.startsWith('$'))) return { $literal: value }
  return mapValues(value, escapeLiterals)
}

/** A time with its zone, as the API writes and reads it. */
const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/

const isLike = (pattern: RegExp) => (value: unknown) =>
  typeof value === 'string' && pattern.test(value)

interface Matcher {
  readonly description: string
  readonly matches: (value: unknown) => boolean
  /** A value that matches */
  readonly example: Json | undefined
}

export const matchers: Readonly<Record<string, Matcher>> = {
  any: { description: 'any value', matches: (value) => value !== undefined, example: null },
  absent: { description: 'nothing', matches: (value) => value === undefined, example: undefined },
  id: {
    description: 'an id',
    matches: (value) => Number.isInteger(value) && (value as number) > 0,
    example: 1,
  },
  uuid: {
    description: 'a UUID',
    matches: isLike(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i),
    example: '018f2b6e-0000-7000-8000-000000000001',
  },
  time: {
    description: 'an ISO 8601 time',
    matches: isLike(timePattern),
    example: '2024-06-15T12:00:00Z',
  },
  text: { description: 'a string', matches: (value) => typeof value === 'string', example: '' },
  number: { description: 'a number', matches: (value) => typeof value === 'number', example: 0 },
  boolean: {
    description: 'a boolean',
    matches: (value) => typeof value === 'boolean',
    example: false,
  },
  list: { description: 'a list', matches: Array.isArray, example: [] },
  object: { description: 'an object', matches: isObject, example: {} },
}

export function isTime(value: unknown): value is string {
  return matchers.time?.matches(value) === true
}

/** Writes a time in one way, so that equal moments are equal texts. Any other text stays as it is. */
export function usualTime(text: string): string {
  const moment = isTime(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(moment) ? text : new Date(moment).toISOString()
}
