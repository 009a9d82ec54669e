import * as z from 'zod'
import {
  type Issue,
  inspectValue,
  issuesWithin,
  type Path,
  schemaIssues,
} from '../../utils/errors.ts'
import { isObject } from '../../utils/json.ts'
import {
  matchers,
  type SpecialValue,
  specialKeywords,
  timePattern,
  toSpecialValue,
} from './values.ts'

/** A body is that of a request. Elsewhere a value is sent in a path, or is part of a change. */
type ValueUse = 'body' | 'sent' | 'expected'

const sendableKeywords: readonly string[] = ['$saved', '$text', '$literal']

/** Finds special values that a JSON value cannot contain at a place. */
export function findValueIssues(value: unknown, use: ValueUse, path: Path = []): Issue[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => findValueIssues(item, use, [...path, index]))
  }
  if (!isObject(value)) return []
  const special = toSpecialValue(value)
  if (special?.keyword === '$literal') return []
  if (special) return findSpecialValueIssues(special, path, use)
  const keyword = Object.keys(value).find((name) => name.startsWith('$'))
  if (keyword !== undefined) {
    const expected = `one of ${specialKeywords.join(', ')} as the only field`
    const actual = `${inspectValue(keyword)}. Wrap a plain value in { "$literal": … }`
    return [{ path, text: `expected ${expected}, got ${actual}` }]
  }
  return Object.entries(value).flatMap(([name, inner]) =>
    findValueIssues(inner, use, [...path, name]),
  )
}

function findSpecialValueIssues(
  { keyword, value }: SpecialValue,
  path: Path,
  use: ValueUse,
): Issue[] {
  if (keyword === '$now' && use !== 'body') {
    const text = 'expected another value, got $now, which only the body of a request can contain'
    return [{ path, text }]
  }
  if (use !== 'expected' && ![...sendableKeywords, '$now'].includes(keyword)) {
    const text = `expected a value to send, got ${keyword}, which only expect can contain`
    return [{ path, text }]
  }
  const valuePath = [...path, keyword]
  if (keyword === '$not') return findValueIssues(value, use, valuePath)
  return issuesWithin(valuePath, schemaIssues(schemas[keyword] ?? z.string(), value))
}

const schemas: Partial<Record<SpecialValue['keyword'], z.ZodType>> = {
  $match: z.enum(Object.keys(matchers)),
  $now: z.string().regex(timePattern, { error: 'expected a time such as 2024-06-01T00:00:00Z' }),
}
