import { expect, test } from 'vitest'
import {
  filterRecords,
  type JournalFilter,
  matchesStatus,
  statusSchema,
} from '../../../../src/simulator/journal/filter.ts'
import type { KeyLabels } from '../../../../src/simulator/journal/key-labels.ts'

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
  operation: ['listPlugins', 'listAnnotations', null, null][id - 1],
  response: { status: 198 + id },
  key: id < 3 ? 'all' : 'old',
}))

const keys = { isSentWith: (record: { key: string }, key: string) => record.key === key }

test.each<[filter: JournalFilter, ids: number[]]>([
  [{}, [1, 2, 3, 4]],
  [{ operation: 'listAnnotations' }, [2]],
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
  const found = filterRecords(records as never, filter, keys as unknown as KeyLabels)

  expect(found.map(({ id }) => id)).toEqual(ids)
})
