import * as z from 'zod'
import { type Issue, inspectValue, issuesWithin, maxIssues, type Path } from '../../utils/errors.ts'
import { isObject, type Json, mapValues } from '../../utils/json.ts'
import { schemaIssues } from '../../utils/schema-issues.ts'

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

const specialKeywords = ['$saved', '$match', '$literal'] as const

/** An object with a single field, which gives it a special meaning: `{ "$saved": "id" }`. */
interface SpecialValue {
  readonly keyword: (typeof specialKeywords)[number]
  readonly value: unknown
}

/** Parses a special value. Returns null for any other value. */
export function toSpecialValue(value: unknown): SpecialValue | null {
  if (!isObject(value)) return null
  const keyword = specialKeywords.find((name) => Object.hasOwn(value, name))
  if (keyword === undefined || Object.keys(value).length !== 1) return null
  return { keyword, value: value[keyword] }
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

/** Visits the lists and objects in a value, with one list as path. @param visit whether to visit those within one, too */
function visitObjects(value: unknown, visit: (inner: object) => boolean, path: PropertyKey[]) {
  if (typeof value !== 'object' || value === null || !visit(value)) return
  const names: ArrayLike<unknown> = Array.isArray(value) ? value : Object.keys(value)
  for (let at = 0; at < names.length; at++) {
    const step = names === value ? at : (names[at] as string)
    path.push(step)
    visitObjects((value as Record<string | number, unknown>)[step], visit, path)
    path.pop()
  }
}

export function findNames(value: unknown, within: Path): NameReference[] {
  const references: NameReference[] = []
  const path = [...within]
  const visit = (inner: object) => {
    const special = toSpecialValue(inner)
    if (special?.keyword !== '$saved') return special?.keyword !== '$literal'
    const text = String(special.value)
    for (const name of isName(text) ? [text] : findNamesInText(text))
      references.push({ name, path: [...path] })
    return false
  }
  visitObjects(value, visit, path)
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
  if (typeof value !== 'object' || value === null) return value
  const special = toSpecialValue(value)
  if (special === null) return mapValues(value, (inner) => fillForSending(inner, saved))
  if (special.keyword === '$saved') return fillValue(value, saved)
  return special.keyword === '$literal' ? special.value : undefined
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

/** Finds special values that a JSON value cannot contain at a place. @param isExpected whether the value is compared, not sent */
export function findValueIssues(value: unknown, isExpected: boolean): Issue[] {
  const issues: Issue[] = []
  const path: (string | number)[] = []
  const visit = (inner: object) => {
    if (issues.length >= maxIssues) return false
    const names = Array.isArray(inner) ? [] : Object.keys(inner)
    const keyword = names.find((name) => name.startsWith('$'))
    if (keyword === undefined) return true
    const special = toSpecialValue(inner)
    if (special) issues.push(...findSpecialValueIssues(special, [...path], isExpected))
    else {
      const expected = `one of ${specialKeywords.join(', ')} as the only field`
      const got = [keyword, ...names.filter((name) => name !== keyword)].slice(0, 2)
      const actual = `${got.map(inspectValue).join(' and ')}. Wrap a plain value in { "$literal": … }`
      issues.push({ path: [...path], text: `expected ${expected}, got ${actual}` })
    }
    return false
  }
  visitObjects(value, visit, path)
  return issues
}

function findSpecialValueIssues(
  { keyword, value }: SpecialValue,
  path: Path,
  isExpected: boolean,
): Issue[] {
  if (keyword === '$literal') return []
  if (keyword === '$match' && !isExpected)
    return [{ path, text: 'expected a value to send, got $match, which is for expect' }]
  const schema = keyword === '$match' ? matcherName : z.string()
  return issuesWithin([...path, keyword], schemaIssues(schema, value))
}

const matcherName = z.enum(Object.keys(matchers))
