import { expect, test } from 'vitest'
import { createSimulator } from '../../src/simulator.ts'
import { UsageError } from '../../src/usage-error.ts'
import type { WorldJson } from '../../src/world/world-json.ts'
import { annotation, withLists, worlds } from './bad-worlds.table.ts'

test.each(worlds)(
  '%s: every fault is listed with its path, and nothing is loaded',
  (_, world, faults) => {
    const error = refusalOf(() => createSimulator({ world: world as WorldJson }))

    expect(error).toBeInstanceOf(UsageError)
    expect(error.faults).toEqual(faults)
    const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`
    expect(error.message.split('\n')).toEqual([
      `Failed to load the world: it has ${count}. Nothing was loaded.`,
      ...faults.map((fault) => `  ${fault}`),
    ])
  },
)

test('thousands of faults are all listed', () => {
  const annotations = Array.from({ length: 5000 }, (_, index) => ({
    ...annotation,
    id: index + 1,
    scope: 'team',
  }))

  const { faults } = refusalOf(() =>
    createSimulator({ world: withLists({ annotations }) as unknown as WorldJson }),
  )

  expect(faults).toHaveLength(5000)
  expect(faults.at(-1)).toMatch(/^annotations\[4999\]\.scope: /)
})

function refusalOf(load: () => unknown): UsageError {
  try {
    load()
  } catch (error) {
    return error as UsageError
  }
  throw new Error('expected a refusal')
}
