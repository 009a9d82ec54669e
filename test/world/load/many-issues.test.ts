import { expect, test } from 'vitest'
import { createSimulator } from '../../../src/simulator.ts'
import type { UsageError } from '../../../src/utils/usage-error.ts'
import type { WorldJson } from '../../../src/world/world-json.ts'

function errorOf(world: object): UsageError {
  try {
    createSimulator({ world: world as WorldJson })
  } catch (error) {
    return error as UsageError
  }
  throw new Error('The world was loaded.')
}

const worldOf = (count: number) => ({ annotations: Array(count).fill(5) })
const line = (index: number) => `  annotations[${index}]: expected object, got 5`

test.each([
  [99, 'Failed to load the world: 99 problems. Nothing was loaded.', line(98), 99],
  [100, 'Failed to load the world: 100 problems. Nothing was loaded.', line(99), 100],
  [101, 'Failed to load the world: 101 problems. Nothing was loaded.', '  … and 1 more', 101],
  [9_999, 'Failed to load the world: 9999 problems. Nothing was loaded.', '  … and 9899 more', 101],
  [
    10_000,
    'Failed to load the world: at least 10000 problems. Nothing was loaded.',
    '  … and at least 9900 more',
    101,
  ],
  [
    10_001,
    'Failed to load the world: at least 10000 problems. Nothing was loaded.',
    '  … and at least 9900 more',
    101,
  ],
])('of %i issues, a hundred are listed', (count, head, last, listed) => {
  const { message, issues } = errorOf(worldOf(count))

  const [first, ...lines] = message.split('\n')
  expect([first, lines[0], lines.at(-1), lines.length]).toEqual([head, line(0), last, listed])
  expect(issues).toHaveLength(Math.min(count, 10_000))
})

const field = (index: number) => `field_${index}`
const fields = Array.from({ length: 140_000 }, (_, index) => [field(index), 1])

/** Worlds of 1.4 MB. Their issues would be a hundred times as large. */
const large: readonly [name: string, world: object][] = [
  ['empty rows', { annotations: Array(460_000).fill({}) }],
  ['numbers', { annotations: Array(700_000).fill(5) }],
  ['unknown fields', { annotations: [Object.fromEntries(fields)] }],
  ['unknown lists', Object.fromEntries(fields)],
  ['repeated ids', { organizations: Array(20_000).fill({ id: '', name: 'x'.repeat(40) }) }],
  ['keys without users', { keys: Array(60_000).fill({ value: 'abc', user: 1, scopes: null }) }],
]

test.each(large)('a large world of %s is refused soon, with a short message', (_, world) => {
  const start = process.cpuUsage()
  const { message } = errorOf(world)
  const { user, system } = process.cpuUsage(start)

  expect(message.length).toBeLessThan(30_000)
  expect((user + system) / 1_000_000).toBeLessThan(5)
})

test('at most ten unknown fields of an object are listed', () => {
  const withFields = (count: number) => Object.fromEntries(fields.slice(0, count))

  expect(errorOf(withFields(10)).message).toMatch(/unknown field "field_9"$/)
  expect(errorOf(withFields(11)).message).toMatch(/"field_9"\n {2}world: unknown fields: 1 more$/)
})
