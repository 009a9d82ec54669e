import { expect, test } from 'vitest'
import defaultWorld from '../../fixtures/default.json' with { type: 'json' }
import { createSimulator } from '../../src/simulator/simulator.ts'
import type { WorldJson } from '../../src/world/world-json.ts'
import { writeRows } from '../support/api/write-rows.ts'

const clock = '2024-06-15T12:00:00Z'

test('replaceWorld replaces the rows that reset restores', async () => {
  const simulator = createSimulator({ clock })
  const old = simulator.snapshot()

  simulator.replaceWorld('empty')
  await writeRows(simulator)
  simulator.reset()
  const afterReset = simulator.world.annotations.count
  simulator.restore(old)

  expect(afterReset).toBe(0)
  expect(simulator.world.annotations.count).toBe(8)
})

test('replaceWorld takes over the seed and the date of the world', () => {
  const simulator = createSimulator({ world: { ...defaultWorld, seed: 3 } as WorldJson, clock })
  const other = { ...defaultWorld, seed: 7, now: '2023-01-01T00:00:00Z' } as WorldJson
  const expected = createSimulator({ world: other, clock })

  simulator.replaceWorld(other)
  const replaced = simulator.world.toJSON()
  const key = simulator.keys.issue()
  simulator.reset()

  expect(replaced).toMatchObject({ seed: 7, now: '2023-01-01T00:00:00Z' })
  expect(simulator.world.toJSON()).toEqual(replaced)
  expect([key, simulator.keys.issue()]).toEqual(Array(2).fill(expected.keys.issue()))

  simulator.replaceWorld('empty')
  expect(simulator.world.toJSON().seed).not.toBe(7)
})

test('replaceWorld replaces the whole world or nothing', async () => {
  const simulator = createSimulator({ clock })
  await writeRows(simulator)
  const before = JSON.stringify(simulator.world.toJSON())
  const bad = { ...defaultWorld, annotations: 1 } as unknown as WorldJson

  expect(() => simulator.replaceWorld(bad)).toThrow(
    'Failed to load the world: 1 problem. Nothing was loaded.\n  annotations: expected array, got 1',
  )
  expect(() => simulator.replaceWorld('nope' as 'empty')).toThrow(
    'Failed to find the world: expected default, empty or a world as JSON, got "nope".',
  )
  expect(JSON.stringify(simulator.world.toJSON())).toBe(before)

  simulator.reset()
  expect(simulator.world.annotations.count).toBe(8)
})
