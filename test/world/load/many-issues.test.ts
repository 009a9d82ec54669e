import { expect, test } from 'vitest'
import defaultWorld from '../../../fixtures/default.json' with { type: 'json' }
import { createSimulator } from '../../../src/simulator/simulator.ts'
import { errorOf } from '../../support/errors.ts'

const errorOfWorld = (world: object) => errorOf(() => createSimulator({ world }))

test.each([
  [99, '99 problems', 99],
  [100, 'at least 100 problems', 100],
  [101, 'at least 100 problems', 100],
])('of %i issues, a hundred are listed', (count, shown, listed) => {
  const { message, issues } = errorOfWorld({ annotations: Array(count).fill(5) })

  const [head, ...lines] = message.split('\n')
  expect(head).toBe(`Failed to load the world: ${shown}. Nothing was loaded.`)
  expect(lines.map((line) => line.trim())).toEqual(issues)
  expect(issues).toHaveLength(listed)
  expect(issues.at(-1)).toBe(`annotations[${listed - 1}]: expected object, got 5`)
})

test('issues of references are found in each of many rows, in the order of the rows', () => {
  const [row] = defaultWorld.annotations
  const annotations = Array.from({ length: 3_000 }, (_, at) => ({ ...row, id: at + 1 }))
  const change = (at: number, fields: object) => Object.assign(annotations[at] ?? {}, fields)
  for (const at of [0, 1_023, 1_024, 1_025, 2_999]) change(at, { created_by: 77 })
  // The first one is the id that the next row has, too.
  for (const [at, id] of [
    [500, 502],
    [1_024, 1_024],
    [2_999, 1],
  ] as const)
    change(at, { id })

  const { issues = [] } = errorOfWorld({ ...defaultWorld, next_ids: {}, annotations })

  const missing = 'expected an id in users, got 77'
  expect(issues).toEqual([
    'annotations[501].id: expected a unique value, got 502 again',
    'annotations[1024].id: expected a unique value, got 1024 again',
    'annotations[2999].id: expected a unique value, got 1 again',
    ...[0, 1_023, 1_024, 1_025, 2_999].map((at) => `annotations[${at}].created_by: ${missing}`),
  ])
})

test('the message of a world with thousands of issues is short', () => {
  const fields = Array.from({ length: 5_000 }, (_, index) => [`field_${index}`, 1])

  for (const world of [Object.fromEntries(fields), { annotations: [Object.fromEntries(fields)] }])
    expect(errorOfWorld(world).message.length).toBeLessThan(30_000)
})
