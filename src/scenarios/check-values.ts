import { isObject } from '../differences.ts'
import { nearest, show } from '../usage-error.ts'
import { matchers } from './matchers.ts'
import { specialOf, specialWords } from './values.ts'

/** What may stand in a value that is sent. */
const sentWords = ['$saved', '$text', '$literal']

/** What is wrong with the values that stand for others in a value, each with its path. */
export function valueFaults(value: unknown, path: string, use: 'sent' | 'expected'): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => valueFaults(item, `${path}[${index}]`, use))
  }
  if (!isObject(value)) return []
  const special = specialOf(value)
  if (special?.word === '$literal') return []
  if (special) return specialFaults(special.word, special.value, path, use)
  const odd = Object.keys(value).find((name) => name.startsWith('$'))
  if (odd !== undefined) return [unknownWord(odd, path)]
  return Object.entries(value).flatMap(([name, inner]) =>
    valueFaults(inner, `${path}.${name}`, use),
  )
}

function specialFaults(
  word: string,
  value: unknown,
  path: string,
  use: 'sent' | 'expected',
): string[] {
  if (use === 'sent' && !sentWords.includes(word)) {
    return [`${path}: expected a value to send, got ${word}, which is for what is expected`]
  }
  if (word === '$not') return valueFaults(value, `${path}.$not`, use)
  if (word === '$match') {
    if (typeof value === 'string' && Object.hasOwn(matchers, value)) return []
    const names = Object.keys(matchers)
    const meant = nearest(String(value), names)
    const hint = meant === undefined ? '' : `. Did you mean ${meant}?`
    return [`${path}.$match: expected one of ${names.join(', ')}, got ${show(value)}${hint}`]
  }
  if (typeof value !== 'string') return [`${path}.${word}: expected a text, got ${show(value)}`]
  return word === '$pattern' && !isPattern(value)
    ? [`${path}.$pattern: expected a regular expression, got ${show(value)}`]
    : []
}

function unknownWord(word: string, path: string): string {
  const known = specialWords.join(', ')
  return `${path}: expected one of ${known} alone, got ${show(word)}. Wrap what is meant as it stands in { "$literal": … }`
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u')
    return true
  } catch {
    return false
  }
}
