import { didYouMean } from '../../utils/did-you-mean.ts'
import { isObject } from '../../utils/json.ts'
import { inspectValue } from '../../utils/usage-error.ts'
import { matchers } from './matchers.ts'
import { type SpecialValue, specialKeywords, toSpecialValue } from './values.ts'

/** Whether a value is sent, or compared with a response. */
type ValueUse = 'sent' | 'expected'

/** The keywords that a request can contain. */
const sendableKeywords: readonly string[] = ['$saved', '$text', '$literal']

/** Finds the issues of the special values in a value, each with its path. */
export function findValueIssues(value: unknown, path: string, use: ValueUse): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => findValueIssues(item, `${path}[${index}]`, use))
  }
  if (!isObject(value)) return []
  const special = toSpecialValue(value)
  if (special?.keyword === '$literal') return []
  if (special) return findSpecialValueIssues(special, path, use)
  const keyword = Object.keys(value).find((name) => name.startsWith('$'))
  if (keyword !== undefined) return [describeUnknownKeyword(keyword, path)]
  return Object.entries(value).flatMap(([name, inner]) =>
    findValueIssues(inner, `${path}.${name}`, use),
  )
}

function findSpecialValueIssues(
  { keyword, value }: SpecialValue,
  path: string,
  use: ValueUse,
): string[] {
  if (use === 'sent' && !sendableKeywords.includes(keyword)) {
    return [`${path}: expected a value to send, got ${keyword}, which only expect can contain`]
  }
  const valuePath = `${path}.${keyword}`
  if (keyword === '$not') return findValueIssues(value, valuePath, use)
  if (keyword === '$match') {
    if (typeof value === 'string' && Object.hasOwn(matchers, value)) return []
    const names = Object.keys(matchers)
    const suggestion = didYouMean(String(value), names)
    const hint = suggestion === undefined ? '' : `. Did you mean ${suggestion}?`
    return [`${valuePath}: expected one of ${names.join(', ')}, got ${inspectValue(value)}${hint}`]
  }
  if (typeof value !== 'string') {
    return [`${valuePath}: expected a string, got ${inspectValue(value)}`]
  }
  return keyword === '$pattern' && !isPattern(value)
    ? [`${valuePath}: expected a regular expression, got ${inspectValue(value)}`]
    : []
}

function describeUnknownKeyword(keyword: string, path: string): string {
  const keywords = specialKeywords.join(', ')
  return `${path}: expected one of ${keywords} as the only field, got ${inspectValue(keyword)}. Wrap a plain value in { "$literal": … }`
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text, 'u')
    return true
  } catch {
    return false
  }
}
