import { didYouMean } from '../../utils/did-you-mean.ts'
import { isObject } from '../../utils/json.ts'
import { inspectValue } from '../../utils/usage-error.ts'
import { matchers } from './matchers.ts'
import { specialKeywords, toSpecialValue } from './values.ts'

/** What may stand in a value that is sent. */
const sendableKeywords = ['$saved', '$text', '$literal']

/** What is wrong with the values that stand for others in a value, each with its path. */
export function findValueIssues(value: unknown, path: string, use: 'sent' | 'expected'): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => findValueIssues(item, `${path}[${index}]`, use))
  }
  if (!isObject(value)) return []
  const special = toSpecialValue(value)
  if (special?.keyword === '$literal') return []
  if (special) return findSpecialValueIssues(special.keyword, special.value, path, use)
  const odd = Object.keys(value).find((name) => name.startsWith('$'))
  if (odd !== undefined) return [describeUnknownKeyword(odd, path)]
  return Object.entries(value).flatMap(([name, inner]) =>
    findValueIssues(inner, `${path}.${name}`, use),
  )
}

function findSpecialValueIssues(
  word: string,
  value: unknown,
  path: string,
  use: 'sent' | 'expected',
): string[] {
  if (use === 'sent' && !sendableKeywords.includes(word)) {
    return [`${path}: expected a value to send, got ${word}, which is for what is expected`]
  }
  if (word === '$not') return findValueIssues(value, `${path}.$not`, use)
  if (word === '$match') {
    if (typeof value === 'string' && Object.hasOwn(matchers, value)) return []
    const names = Object.keys(matchers)
    const meant = didYouMean(String(value), names)
    const hint = meant === undefined ? '' : `. Did you mean ${meant}?`
    return [
      `${path}.$match: expected one of ${names.join(', ')}, got ${inspectValue(value)}${hint}`,
    ]
  }
  if (typeof value !== 'string')
    return [`${path}.${word}: expected a text, got ${inspectValue(value)}`]
  return word === '$pattern' && !isPattern(value)
    ? [`${path}.$pattern: expected a regular expression, got ${inspectValue(value)}`]
    : []
}

function describeUnknownKeyword(word: string, path: string): string {
  const known = specialKeywords.join(', ')
  return `${path}: expected one of ${known} alone, got ${inspectValue(word)}. Wrap what is meant as it stands in { "$literal": … }`
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u')
    return true
  } catch {
    return false
  }
}
