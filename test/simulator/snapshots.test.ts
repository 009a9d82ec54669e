import { expect, test } from 'vitest'
import { createSimulator } from '../../src/simulator/simulator.ts'
import { annotationsPath, noon as clock } from '../support/api/paths.ts'
import { writeRows } from '../support/api/write-rows.ts'
import { start } from '../support/transports/start.ts'

test('restoring a snapshot changes neither settings nor clock nor journal, nor what a reset restores', async () => {
  const { ask, simulator } = await start()
  simulator.world.annotations.add({})
  const before = simulator.snapshot()
  simulator.settings.set({ 'limits.body': 99 })
  simulator.clock.set('2030-01-01')
  await ask('GET', annotationsPath)

  simulator.restore(before)

  expect(simulator.settings.get('limits.body')).toBe(99)
  expect(simulator.clock.iso()).toBe('2030-01-01T00:00:00Z')
  expect(simulator.journal.find()).toHaveLength(1)
  simulator.reset()
  expect(simulator.world.annotations.count).toBe(8)
})

test('a snapshot has the seed and the date of its world', async () => {
  const world = { now: '2024-01-01T00:00:00Z', seed: 7 }
  const { simulator } = await start({ world })
  const seven = simulator.snapshot()
  simulator.replaceWorld('default')

  simulator.restore(seven)

  expect(simulator.world.toJSON()).toMatchObject(world)
})

test('a snapshot never changes, however often and in which order it is restored', async () => {
  const { simulator } = await start({ world: 'empty' })
  const snapshots = [simulator.snapshot()]
  for (let count = 1; count <= 5; count++) {
    simulator.world.annotations.add({ content: `Number ${count}` })
    snapshots.push(simulator.snapshot())
  }

  for (const index of [3, 5, 0, 4, 1, 2, 5, 5]) {
    simulator.restore(snapshots[index] as (typeof snapshots)[0])
    expect
      .soft(simulator.world.annotations.list().map(({ id }) => id))
      .toEqual(Array.from({ length: index }, (_, position) => position + 1))
    await writeRows(simulator)
  }
})

test('a snapshot can be restored into another simulator, and they share nothing', async () => {
  const [first, second] = [createSimulator({ clock }), createSimulator({ world: 'empty', clock })]
  await writeRows(first)

  second.restore(first.snapshot())
  second.world.annotations.delete(1)
  await writeRows(second)

  expect(first.world.annotations.get(1)).toBeDefined()
  expect(second.world.annotations.count).toBe(first.world.annotations.count)
})

test('a simulator starts with the rows of a snapshot, and shares no later change', () => {
  const first = createSimulator({ clock })
  first.world.annotations.update(1, { content: 'Changed' })

  const second = createSimulator({ world: first.snapshot(), clock })
  second.world.annotations.delete(1)
  second.reset()

  expect(second.world.toJSON()).toEqual(first.world.toJSON())
})
