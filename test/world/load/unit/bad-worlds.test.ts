import { expect, test } from 'vitest'
import { generate } from '../../../../src/factories.ts'
import { createSimulator } from '../../../../src/simulator.ts'
import { UsageError } from '../../../../src/utils/usage-error.ts'
import type { WorldJson } from '../../../../src/world/world-json.ts'
import { annotation, withLists, worlds } from './bad-worlds.table.ts'

test.each(worlds)(
  '%s: every fault is listed with its path, and nothing is loaded',
  (_, world, faults) => {
    const error = refusalOf(() => createSimulator({ world: world as WorldJson }))

    expect(error).toBeInstanceOf(UsageError)
    expect(error.issues).toEqual(faults)
    const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`
    const [head, ...lines] = error.message.split('\n')
    expect(head).toMatch(`Failed to load the world: it has ${count}. Nothing was loaded.`)
    expect(lines).toEqual(faults.map((fault) => `  ${fault}`))
  },
)

test('rows that leave something out: what would be made up is told, and is, where the world says so', () => {
  const world = { annotations: [{ content: 'Launch', date_marker: 5 }] } as unknown as WorldJson
  const sparse = { annotations: [{ content: 'Launch' }] } as unknown as WorldJson

  const error = refusalOf(() => createSimulator({ world }))
  const wrong = refusalOf(() => createSimulator({ world: { annotations: 5 } as never }))
  const made = createSimulator({ world: generate({ ...sparse, generate: {} }) })

  const cure = 'Add "generate": {} to the world to have made up what its rows leave out.'
  expect(error.message).toContain(`Nothing was loaded. ${cure}`)
  expect(error.issues).toContain('annotations[0].date_marker: expected string or null, got 5')
  expect(error.issues).toContain(
    'annotations[0].dashboard_item: expected number or null, got nothing',
  )
  expect(error.issues).toContain('annotations[0].project: expected number, got nothing')
  expect(wrong.message).not.toContain('generate')
  expect(made.world.annotations.list()).toMatchObject([{ content: 'Launch' }])
})

test('thousands of faults are all listed', () => {
  const annotations = Array.from({ length: 5000 }, (_, index) => ({
    ...annotation,
    id: index + 1,
    scope: 'team',
  }))

  const { issues } = refusalOf(() =>
    createSimulator({ world: withLists({ annotations }) as unknown as WorldJson }),
  )

  expect(issues).toHaveLength(5000)
  expect(issues.at(-1)).toMatch(/^annotations\[4999\]\.scope: /)
})

function refusalOf(load: () => unknown): UsageError {
  try {
    load()
  } catch (error) {
    return error as UsageError
  }
  throw new Error('expected a refusal')
}
