import { expect, test } from 'vitest'
import { createSimulator, type Scenario } from '../../../src/index.ts'
import { annotationsPath } from '../../support/api/paths.ts'

const drop = { preset: 'lost-create' } as const
const create = {
  as: 'all',
  method: 'POST',
  path: annotationsPath,
  body: { content: 'Launch' },
} as const

/** A create is repeated, because its response is lost. */
const retry: Scenario = {
  title: 'A retry',
  world: 'empty',
  steps: [
    { clear: 'faults' },
    { fault: drop },
    { ...create, expect: { status: 0 } },
    { rows: { annotations: [{ content: 'Added' }] } },
    { remove: 'fault-9' },
    { ...create, expect: { status: 201 } },
  ],
}

test('in place, the steps change the simulator, which has its own world and faults', async () => {
  const simulator = createSimulator({ clock: '2024-06-15T12:00:00Z' })

  const { passed, steps } = await simulator.run(retry, { in_place: true })

  expect(passed).toBe(false)
  expect(steps[2]?.differences).toMatchObject([{ where: 'broken', got: 'a response (201)' }])
  expect(simulator.world.annotations.count).toBe(8 + 3)
  expect(simulator.faults.list()).toEqual([])
  expect(simulator.journal.find().map(({ response }) => response.status)).toEqual([201, 201])
})

test('in place, a mistake of the recorded client is in the journal', async () => {
  const simulator = createSimulator({ world: 'empty' })
  simulator.faults.add(drop)

  const { passed } = await simulator.run(retry, { in_place: true })

  expect(passed).toBe(true)
  expect(simulator.journal.mistakes().map(({ rule }) => rule)).toEqual(['repeated-create'])
})

test('in place, the world and the settings are those of the simulator', async () => {
  const simulator = createSimulator()

  await expect(simulator.run(retry, { in_place: true, profile: 'live' })).rejects.toThrow(
    'in_place excludes profile. Set it in the simulator.',
  )
})
