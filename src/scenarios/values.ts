import { isObject } from '../differences.ts'
import { mapInside } from '../map-inside.ts'

/** What earlier steps saved, by name. `base_url` is always there. */
export type Saved = ReadonlyMap<string, unknown>

/** `{{name}}` is itself, `{name}` a saved value. */
const placeholder = /\{\{(\w+)\}\}|\{(\w+)\}/g

/** The words of values that stand for others. */
export const specialWords = ['$saved', '$text', '$match', '$pattern', '$not', '$literal'] as const

/** An object whose only field is such a word. */
export interface Special {
  readonly word: (typeof specialWords)[number]
  readonly value: unknown
}

/** The word and the value of one that stands for others; null for any other value. */
export function specialOf(value: unknown): Special | null {
  if (!isObject(value)) return null
  const names = Object.keys(value)
  const [name = ''] = names
  if (names.length !== 1 || !specialWords.includes(name as Special['word'])) return null
  return { word: name as Special['word'], value: value[name] }
}

/** The names of saved values that stand in a text. */
export function namesInText(text: string): string[] {
  if (!text.includes('{')) return []
  return [...text.matchAll(placeholder)].flatMap(([, , name]) => name ?? [])
}

/** The names of saved values that stand in a value, each with where it stands. */
export function namesIn(value: unknown, path: string): { name: string; path: string }[] {
  const special = specialOf(value)
  if (special?.word === '$literal') return []
  if (special?.word === '$saved') return [{ name: String(special.value), path }]
  if (special?.word === '$text') {
    return namesInText(String(special.value)).map((name) => ({ name, path }))
  }
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => namesIn(item, `${path}[${index}]`))
  }
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([name, inner]) => namesIn(inner, `${path}.${name}`))
}

/**
 * A text with saved values in place of their names.
 *
 * @example filledText('/api/projects/1/annotations/{id}/', new Map([['id', 9]])) // '/api/projects/1/annotations/9/'
 */
export function filledText(text: string, saved: Saved): string {
  if (!text.includes('{')) return text
  return text.replace(placeholder, (_, kept?: string, name?: string) =>
    kept === undefined ? String(saved.get(name as string)) : `{${kept}}`,
  )
}

/** A value with saved ones in their places; matchers stay. The same value where it holds none. */
export function filled(value: unknown, saved: Saved): unknown {
  if (typeof value !== 'object' || value === null) return value
  const special = specialOf(value)
  if (special?.word === '$saved') return saved.get(special.value as string)
  if (special?.word === '$text') return filledText(special.value as string, saved)
  if (special?.word === '$literal') return value
  return mapInside(value, (inner) => filled(inner, saved))
}

/** The same, to be sent: what is literal is unwrapped. */
export function toSend(value: unknown, saved: Saved): unknown {
  return unwrapped(filled(value, saved))
}

function unwrapped(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const special = specialOf(value)
  return special?.word === '$literal' ? special.value : mapInside(value, unwrapped)
}
