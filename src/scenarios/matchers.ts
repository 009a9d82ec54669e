import { type Difference, differencesIn, type Rules } from '../differences.ts'
import { show } from '../usage-error.ts'
import { specialOf } from './values.ts'

interface Matcher {
  readonly says: string
  readonly holds: (got: unknown) => boolean
}

const matching = (pattern: RegExp) => (got: unknown) => typeof got === 'string' && pattern.test(got)

/** What `{ "$match": … }` can say, by its word. */
export const matchers: Readonly<Record<string, Matcher>> = {
  any: { says: 'anything', holds: (got) => got !== undefined },
  absent: { says: 'nothing', holds: (got) => got === undefined },
  id: { says: 'an id', holds: (got) => Number.isInteger(got) && (got as number) > 0 },
  uuid: {
    says: 'a UUID',
    holds: matching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i),
  },
  time: {
    says: 'an ISO 8601 time',
    holds: matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/),
  },
  text: { says: 'a text', holds: (got) => typeof got === 'string' },
  number: { says: 'a number', holds: (got) => typeof got === 'number' },
  boolean: { says: 'true or false', holds: (got) => typeof got === 'boolean' },
  list: { says: 'a list', holds: Array.isArray },
  object: {
    says: 'an object',
    holds: (got) => typeof got === 'object' && got !== null && !Array.isArray(got),
  },
}

/** Every place where a body is not as expected; `isWhole` where it may have no more fields. */
export function differencesOf(expected: unknown, got: unknown, isWhole: boolean): Difference[] {
  const rules: Rules = {
    isWhole,
    matches(wanted, given) {
      const special = specialOf(wanted)
      if (special === null) return undefined
      const { word, value } = special
      if (word === '$match') return matchers[value as string]?.holds(given)
      if (word === '$pattern') return matching(new RegExp(value as string, 'u'))(given)
      if (word === '$not') return differencesOf(value, given, isWhole).length > 0
      return word === '$literal' ? differencesIn(value, given, { isWhole }).length === 0 : undefined
    },
  }
  return differencesIn(expected, got, rules)
}

/** What is expected, in words: `a UUID`, `"Launch"`. */
export function expectation(expected: unknown): string {
  const special = specialOf(expected)
  if (special === null) return show(expected)
  const { word, value } = special
  if (word === '$match') return matchers[value as string]?.says ?? show(expected)
  if (word === '$pattern') return `a text that matches /${value}/`
  return word === '$not' ? `anything but ${expectation(value)}` : show(value)
}
