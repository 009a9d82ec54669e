import { type Difference, diffValues } from '../../utils/diff.ts'
import { inspectValue } from '../../utils/errors.ts'
import { matchesAlias, matchesNumber } from '../../utils/redaction/aliases.ts'
import { matchers, toSpecialValue } from './values.ts'

/** Compares a value with an expected one that can contain matchers. @param isExact whether further fields are differences */
export function diffWithMatchers(
  expected: unknown,
  actual: unknown,
  isExact: boolean,
): Difference[] {
  return diffValues(expected, actual, {
    isExact,
    matches: (value, received, path) =>
      matchesNumber(value, received, path) ?? matches(value, received, isExact),
  })
}

/** Returns undefined if the expected value has no matcher. What a recording has hidden matches any value. */
function matches(expected: unknown, actual: unknown, isExact: boolean): boolean | undefined {
  if (typeof expected === 'string') return matchesAlias(expected, actual)
  const special = toSpecialValue(expected)
  if (special === null) return undefined
  const { keyword, value } = special
  if (keyword === '$match') return matchers[value as string]?.matches(actual)
  return keyword === '$literal' ? diffValues(value, actual, { isExact }).length === 0 : undefined
}

export function describeExpected(expected: unknown): string {
  const special = toSpecialValue(expected)
  if (special?.keyword !== '$match') return inspectValue(special ? special.value : expected)
  return matchers[special.value as string]?.description ?? inspectValue(expected)
}
