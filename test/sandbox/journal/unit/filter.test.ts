import { expect, test } from 'vitest'
import {
  type Expectation,
  filterRecords,
  type JournalFilter,
  matchesStatus,
  parseExpectation,
  parseFilter,
  statusSchema,
} from '../../../../src/sandbox/journal/filter.ts'
import type { Renderer } from '../../../../src/sandbox/journal/renderer.ts'

test.each([
  [0, true],
  ['0', true],
  [99, false],
  [100, true],
  [599, true],
  [600, false],
  [4040, false],
  [40.4, false],
  ['404', true],
  ['0xx', false],
  ['1xx', true],
  ['5XX', true],
  ['6xx', false],
  ['4x', false],
  ['4xxx', false],
  ['a4xx', false],
  ['', false],
  [null, false],
])('whether %j is a status or a class of statuses: %s', (status, isValid) => {
  expect(statusSchema.safeParse(status).success).toBe(isValid)
})

test.each([
  [404, 404, true],
  [404, '404', true],
  [404, 403, false],
  [404, '4xx', true],
  [400, '4XX', true],
  [499, '4xx', true],
  [399, '4xx', false],
  [500, '4xx', false],
  [0, 0, true],
  [0, '0', true],
  [200, 0, false],
])('whether the status %i matches %j: %s', (status, filter, isMatch) => {
  expect(matchesStatus(status, filter)).toBe(isMatch)
})

const noon = Date.parse('2024-06-15T12:00:00Z')

/** Four records in the order of their responses, with one second between them. */
const records = [2, 1, 3, 4].map((id) => ({
  id,
  at: noon + id * 1_000,
  operation: ['listPlugins', 'listAnnotations', 'unknown', null][id - 1],
  response: { status: 198 + id },
  key: id < 3 ? 'all' : 'old',
}))

const renderer = { hasKey: (record: { key: string }, key: string) => record.key === key }

test.each<[filter: JournalFilter, ids: number[]]>([
  [{}, [1, 2, 3, 4]],
  [{ operation: 'listAnnotations' }, [2]],
  [{ operation: 'unknown' }, [3]],
  [{ status: 200 }, [2]],
  [{ status: '2xx' }, [2, 3, 4]],
  [{ key: 'old' }, [3, 4]],
  [{ key: 'old', status: 200 }, []],
  [{ since: '2024-06-15T12:00:02Z' }, [2, 3, 4]],
  [{ until: '2024-06-15T12:00:02Z' }, [1, 2]],
  [{ since: '2024-06-15T12:00:02.001Z', until: '2024-06-15T14:00:03+02:00' }, [3]],
  [{ unmatched: true }, [3, 4]],
  [{ unmatched: false }, [1, 2]],
  [{ limit: 1 }, [4]],
  [{ limit: 3, key: 'all' }, [1, 2]],
])('the filter %j selects the entries %j', (filter, ids) => {
  const found = filterRecords(records as never, filter, renderer as unknown as Renderer)

  expect(found.map(({ id }) => id)).toEqual(ids)
})

test.each([
  [null, 'filter: expected object, got null'],
  [{ limit: 0 }, 'limit: expected at least 1, got 0'],
  [{ limit: 1.5 }, 'limit: expected int, got 1.5'],
  [
    { since: 'yesterday' },
    'since: expected an ISO 8601 time such as 2024-06-01T00:00:00Z, got "yesterday"',
  ],
  [
    { until: '9999-12-31T23:59:59-01:00' },
    'until: expected an ISO 8601 time such as 2024-06-01T00:00:00Z, got "9999-12-31T23:59:59-01:00"',
  ],
  [{ until: 1 }, 'until: expected string, got 1'],
  [{ status: '9xx' }, 'status: expected a status such as 404, or a class such as 4xx, got "9xx"'],
  [{ unmatched: 'no' }, 'unmatched: expected boolean, got "no"'],
  [{ keys: 'all' }, 'unknown field "keys". Did you mean "key"?'],
])('the filter %j is rejected', (filter, issue) => {
  expect(() => parseFilter(filter)).toThrow(`Failed to search the journal.\n  `)
  expect(() => parseFilter(filter)).toThrow(issue)
})

test.each<[expectation: object, message: string | null, field?: string]>([
  [{}, null],
  [{ count: 0 }, null],
  [{ at_least: 2, at_most: 2 }, null],
  [{ in_order: [{ key: 'all' }] }, null],
  [
    { count: 0, at_least: 0 },
    'Failed to verify: count cannot be combined with at_least or at_most.',
    'count',
  ],
  [
    { count: 0, at_most: 0 },
    'Failed to verify: count cannot be combined with at_least or at_most.',
    'count',
  ],
  [
    { at_least: 1, at_most: 0 },
    'Failed to verify: at_least (1) is greater than at_most (0).',
    'at_least',
  ],
  [{ in_order: 'all' }, 'Failed to verify.\n  in_order: expected array, got "all"', 'in_order'],
  [
    { in_order: [], count: 1 },
    'Failed to verify.\n  expectation: unknown field "count". Allowed: in_order\n  in_order: expected at least 1, got []',
    'count',
  ],
])('the expectation %j is accepted, or rejected with a sentence', (expectation, message, field) => {
  const parse = () => parseExpectation(expectation)

  const error = { name: 'UsageError', message, field }
  if (message === null) expect(parse()).toEqual(expectation as Expectation)
  else expect(parse).toThrow(expect.objectContaining(error))
})
