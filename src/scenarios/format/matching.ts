import { type Difference, type DiffOptions, diffValues } from '../../utils/diff.ts'
import { inspectValue } from '../../utils/errors.ts'
import { matchesAlias } from '../../utils/redaction/aliases.ts'
import { matchers, toSpecialValue } from './values.ts'

/** Compares a value with an expected one that can contain matchers. @param isExact whether further fields are differences */
export function diffWithMatchers(
  expected: unknown,
  actual: unknown,
  isExact: boolean,
): Difference[] {
  const options: DiffOptions = {
    isExact,
    matches: (value, received) => matches(value, received, isExact),
    matchesNames: true,
  }
  return diffValues(expected, actual, options)
}

/** Returns undefined if the expected value has no matcher. What a recording has hidden matches any value. */
export function matches(expected: unknown, actual: unknown, isExact: boolean): boolean | undefined {
  if (typeof expected === 'string') return matchesAlias(expected, actual)
  const special = toSpecialValue(expected)
  if (special === null) return undefined
  const { keyword, value } = special
  switch (keyword) {
    case '$now':
      return matchers.time?.matches(actual)
    case '$match':
      return matchers[value as string]?.matches(actual)
    case '$not':
      return diffWithMatchers(value, actual, isExact).length > 0
    case '$literal':
      return diffValues(value, actual, { isExact }).length === 0
    default:
      return undefined
  }
}

export function describeExpected(expected: unknown): string {
  const special = toSpecialValue(expected)
  if (special === null) return inspectValue(expected)
  const { keyword, value } = special
  if (keyword === '$now') return 'an ISO 8601 time'
  if (keyword === '$match') return matchers[value as string]?.description ?? inspectValue(expected)
  return keyword === '$not' ? `anything but ${describeExpected(value)}` : inspectValue(value)
}
