import { isObject, mapValues } from '../../utils/json.ts'

/** What earlier steps saved, by name. `base_url` is always there. */
export type SavedValues = ReadonlyMap<string, unknown>

/** `{{name}}` is itself, `{name}` a saved value. */
const namePattern = /\{\{(\w+)\}\}|\{(\w+)\}/g

/** The words of values that stand for others. */
export const specialKeywords = [
  '$saved',
  '$text',
  '$match',
  '$pattern',
  '$not',
  '$literal',
] as const

/** An object whose only field is such a word. */
export interface SpecialValue {
  readonly keyword: (typeof specialKeywords)[number]
  readonly value: unknown
}

/** The word and the value of one that stands for others; null for any other value. */
export function toSpecialValue(value: unknown): SpecialValue | null {
  if (!isObject(value)) return null
  const names = Object.keys(value)
  const [name = ''] = names
  if (names.length !== 1 || !specialKeywords.includes(name as SpecialValue['keyword'])) return null
  return { keyword: name as SpecialValue['keyword'], value: value[name] }
}

/** The names of saved values that stand in a text. */
export function findNamesInText(text: string): string[] {
  if (!text.includes('{')) return []
  return [...text.matchAll(namePattern)].flatMap(([, , name]) => name ?? [])
}

/** The names of saved values that stand in a value, each with where it stands. */
export function findNames(value: unknown, path: string): { name: string; path: string }[] {
  const special = toSpecialValue(value)
  if (special?.keyword === '$literal') return []
  if (special?.keyword === '$saved') return [{ name: String(special.value), path }]
  if (special?.keyword === '$text') {
    return findNamesInText(String(special.value)).map((name) => ({ name, path }))
  }
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => findNames(item, `${path}[${index}]`))
  }
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, inner]) => findNames(inner, `${path}.${name}`))
}

/**
 * A text with saved values in place of their names.
 *
 * @example filledText('/api/projects/1/annotations/{id}/', new Map([['id', 9]])) // '/api/projects/1/annotations/9/'
 */
export function fillText(text: string, saved: SavedValues): string {
  if (!text.includes('{')) return text
  return text.replace(namePattern, (_, kept?: string, name?: string) =>
    kept === undefined ? String(saved.get(name as string)) : `{${kept}}`,
  )
}

/** A value with saved ones in their places; matchers stay. The same value where it holds none. */
export function fillValue(value: unknown, saved: SavedValues): unknown {
  if (typeof value !== 'object' || value === null) return value
  const special = toSpecialValue(value)
  if (special?.keyword === '$saved') return saved.get(special.value as string)
  if (special?.keyword === '$text') return fillText(special.value as string, saved)
  if (special?.keyword === '$literal') return value
  return mapValues(value, (inner) => fillValue(inner, saved))
}

/** The same, to be sent: what is literal is unwrapped. */
export function fillForSending(value: unknown, saved: SavedValues): unknown {
  return unwrapLiterals(fillValue(value, saved))
}

function unwrapLiterals(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const special = toSpecialValue(value)
  return special?.keyword === '$literal' ? special.value : mapValues(value, unwrapLiterals)
}

/** A value that only stands for itself: fields that begin with `$`, which would say more, are marked as plain ones. */
export function toLiteral(value: unknown): unknown {
  return hasKeywords(value) ? { $literal: value } : value
}

function hasKeywords(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasKeywords)
  if (!isObject(value)) return false
  return Object.entries(value).some(([name, inner]) => name.startsWith('$') || hasKeywords(inner))
}

/**
 * The same, marked as far inside as can be, so that what stands around it is still read and checked.
 *
 * @example literalWithin({ rows: [{ config: { $a: 1 } }] }) // { rows: [{ config: { $literal: { $a: 1 } } }] }
 */
export function escapeLiterals(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(escapeLiterals)
  if (!isObject(value)) return value
  const entries = Object.entries(value)
  if (entries.some(([name]) => name.startsWith('$'))) return { $literal: value }
  return Object.fromEntries(entries.map(([name, inner]) => [name, escapeLiterals(inner)]))
}
