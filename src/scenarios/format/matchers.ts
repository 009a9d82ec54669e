import { type Difference, type DiffOptions, diffValues } from '../../utils/diff.ts'
import { inspectValue } from '../../utils/usage-error.ts'
import { toSpecialValue } from './values.ts'

interface Matcher {
  readonly description: string
  readonly matches: (value: unknown) => boolean
}

const matchesPattern = (pattern: RegExp) => (value: unknown) =>
  typeof value === 'string' && pattern.test(value)

/** The matchers of `{ "$match": … }` by name. */
export const matchers: Readonly<Record<string, Matcher>> = {
  any: { description: 'any value', matches: (value) => value !== undefined },
  absent: { description: 'nothing', matches: (value) => value === undefined },
  id: {
    description: 'an id',
    matches: (value) => Number.isInteger(value) && (value as number) > 0,
  },
  uuid: {
    description: 'a UUID',
    matches: matchesPattern(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i),
  },
  time: {
    description: 'an ISO 8601 time',
    matches: matchesPattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/),
  },
  text: { description: 'a string', matches: (value) => typeof value === 'string' },
  number: { description: 'a number', matches: (value) => typeof value === 'number' },
  boolean: { description: 'a boolean', matches: (value) => typeof value === 'boolean' },
  list: { description: 'a list', matches: Array.isArray },
  object: {
    description: 'an object',
    matches: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  },
}

/** Compares a value with an expected one that can contain matchers. @param isExact whether further fields are differences */
export function diffWithMatchers(
  expected: unknown,
  actual: unknown,
  isExact: boolean,
): Difference[] {
  const options: DiffOptions = {
    isExact,
    matches: (value, other) => matches(value, other, isExact),
  }
  return diffValues(expected, actual, options)
}

/** Returns undefined if the expected value has no matcher. */
function matches(expected: unknown, actual: unknown, isExact: boolean): boolean | undefined {
  const special = toSpecialValue(expected)
  if (special === null) return undefined
  const { keyword, value } = special
  switch (keyword) {
    case '$match':
      return matchers[value as string]?.matches(actual)
    case '$pattern':
      return matchesPattern(new RegExp(value as string, 'u'))(actual)
    case '$not':
      return diffWithMatchers(value, actual, isExact).length > 0
    case '$literal':
      return diffValues(value, actual, { isExact }).length === 0
    default:
      return undefined
  }
}

/** Describes an expected value: `a UUID`, `"Launch"`. */
export function describeExpected(expected: unknown): string {
  const special = toSpecialValue(expected)
  if (special === null) return inspectValue(expected)
  const { keyword, value } = special
  if (keyword === '$match') return matchers[value as string]?.description ?? inspectValue(expected)
  if (keyword === '$pattern') return `a string that matches /${value}/`
  return keyword === '$not' ? `anything but ${describeExpected(value)}` : inspectValue(value)
}
