import { type Difference, type DiffOptions, diffValues } from '../../utils/diff.ts'
import { inspectValue } from '../../utils/usage-error.ts'
import { toSpecialValue } from './values.ts'

interface Matcher {
  readonly description: string
  readonly matches: (got: unknown) => boolean
}

const matchesPattern = (pattern: RegExp) => (got: unknown) =>
  typeof got === 'string' && pattern.test(got)

/** What `{ "$match": … }` can say, by its word. */
export const matchers: Readonly<Record<string, Matcher>> = {
  any: { description: 'anything', matches: (got) => got !== undefined },
  absent: { description: 'nothing', matches: (got) => got === undefined },
  id: { description: 'an id', matches: (got) => Number.isInteger(got) && (got as number) > 0 },
  uuid: {
    description: 'a UUID',
    matches: matchesPattern(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i),
  },
  time: {
    description: 'an ISO 8601 time',
    matches: matchesPattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/),
  },
  text: { description: 'a text', matches: (got) => typeof got === 'string' },
  number: { description: 'a number', matches: (got) => typeof got === 'number' },
  boolean: { description: 'true or false', matches: (got) => typeof got === 'boolean' },
  list: { description: 'a list', matches: Array.isArray },
  object: {
    description: 'an object',
    matches: (got) => typeof got === 'object' && got !== null && !Array.isArray(got),
  },
}

/** Every place where a body is not as expected; `isWhole` where it may have no more fields. */
export function diffWithMatchers(expected: unknown, got: unknown, isWhole: boolean): Difference[] {
  const rules: DiffOptions = {
    isExact: isWhole,
    matches(wanted, given) {
      const special = toSpecialValue(wanted)
      if (special === null) return undefined
      const { keyword, value } = special
      if (keyword === '$match') return matchers[value as string]?.matches(given)
      if (keyword === '$pattern') return matchesPattern(new RegExp(value as string, 'u'))(given)
      if (keyword === '$not') return diffWithMatchers(value, given, isWhole).length > 0
      return keyword === '$literal'
        ? diffValues(value, given, { isExact: isWhole }).length === 0
        : undefined
    },
  }
  return diffValues(expected, got, rules)
}

/** What is expected, in words: `a UUID`, `"Launch"`. */
export function describeExpected(expected: unknown): string {
  const special = toSpecialValue(expected)
  if (special === null) return inspectValue(expected)
  const { keyword, value } = special
  if (keyword === '$match') return matchers[value as string]?.description ?? inspectValue(expected)
  if (keyword === '$pattern') return `a text that matches /${value}/`
  return keyword === '$not' ? `anything but ${describeExpected(value)}` : inspectValue(value)
}
