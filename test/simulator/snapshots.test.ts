import { expect, test } from 'vitest'
import { createSimulator } from '../../src/simulator/simulator.ts'
import { LimitError } from '../../src/utils/errors.ts'
import { annotationsPath, noon as clock, defaultCounts as rows } from '../support/api/paths.ts'
import { writeRows } from '../support/api/write-rows.ts'
import { start } from '../support/transports/start.ts'

test('a snapshot is saved under a name, also over one, and can be restored any number of times', async () => {
  const { ask, simulator } = await start()
  simulator.snapshots.save('saved')
  await ask('POST', annotationsPath, { body: { content: 'Saved' } })

  simulator.snapshots.save('saved')
  await ask('PATCH', `${annotationsPath}9/`, { body: { content: 'Changed' } })
  simulator.snapshots.restore('saved')
  const first = await ask('GET', `${annotationsPath}9/`)
  const next = await ask('POST', annotationsPath, { body: {} })
  simulator.snapshots.restore('saved')

  expect(first).toMatchObject({ status: 200, body: { content: 'Saved' } })
  expect(next).toMatchObject({ body: { id: 10 } })
  expect((await ask('GET', `${annotationsPath}10/`)).status).toBe(404)
  expect(await ask('POST', annotationsPath, { body: {} })).toMatchObject({ body: { id: 10 } })
  expect(simulator.snapshots.list()).toHaveLength(1)
  simulator.reset()
  expect((await ask('GET', `${annotationsPath}9/`)).status).toBe(404)
})

test('snapshots are listed with their time and their number of rows', async () => {
  const { simulator } = await start()

  const saved = simulator.snapshots.save('clean')
  simulator.clock.advance({ hours: 1 })
  simulator.world.annotations.add()
  simulator.snapshots.save('one-more')

  expect(saved).toEqual({ name: 'clean', saved_at: '2024-06-15T12:00:00Z', rows })
  expect(simulator.snapshots.list()).toEqual([
    saved,
    { name: 'one-more', saved_at: '2024-06-15T13:00:00Z', rows: { ...rows, annotations: 9 } },
  ])
  expect(simulator.snapshots.delete('clean')).toBe(true)
  expect(simulator.snapshots.delete('clean')).toBe(false)
  expect(simulator.snapshots.list().map(({ name }) => name)).toEqual(['one-more'])
})

test('restoring a snapshot changes neither settings nor clock nor journal', async () => {
  const { ask, simulator } = await start()
  simulator.snapshots.save('before')
  simulator.settings.set({ 'limits.body': 99 })
  simulator.clock.set('2030-01-01')
  await ask('GET', annotationsPath)

  simulator.snapshots.restore('before')

  expect(simulator.settings.get('limits.body')).toBe(99)
  expect(simulator.clock.iso()).toBe('2030-01-01T00:00:00Z')
  expect(simulator.journal.find()).toHaveLength(1)
})

test.each(['a', 'A-b_9', 'x'.repeat(100)])('the snapshot name %s is accepted', async (name) => {
  const { simulator } = await start()

  expect(simulator.snapshots.save(name).name).toBe(name)
})

test.each([
  [[], 'claen', 'there is no snapshot "claen".'],
  [
    ['clean'],
    'claen',
    'there is no snapshot "claen". Did you mean "clean"? The snapshots are "clean".',
  ],
  [['a', 'b'], 'telescope', 'there is no snapshot "telescope". The snapshots are "a", "b".'],
  [['a'], 5, 'there is no snapshot 5. The snapshots are "a".'],
])('with the snapshots %j, %j is refused: %s', async (names, name, message) => {
  const { simulator } = await start()
  for (const name of names) simulator.snapshots.save(name)

  expect(() => simulator.snapshots.restore(name as string)).toThrow(
    expect.objectContaining({ message: `Failed to restore a snapshot: ${message}`, field: 'name' }),
  )
})

test('a snapshot has the seed and the date of its world', async () => {
  const world = { now: '2024-01-01T00:00:00Z', seed: 7 }
  const { simulator } = await start({ world })
  simulator.snapshots.save('seven')
  simulator.replaceWorld('default')

  simulator.snapshots.restore('seven')

  expect(simulator.world.toJSON()).toMatchObject(world)
})

test('there can be at most a thousand snapshots', async () => {
  const { simulator } = await start()
  for (let count = 0; count < 1000; count++) simulator.snapshots.save(`number-${count}`)

  expect(() => simulator.snapshots.save('one-more')).toThrow(LimitError)
  expect(() => simulator.snapshots.save('one-more')).toThrow(
    'Failed to save a snapshot: there are already 1000. Delete one, or overwrite one.',
  )
  simulator.snapshots.save('number-0')
  simulator.snapshots.delete('number-1')
  simulator.snapshots.save('one-more')
})

test('a snapshot without a name never changes, however often and in which order it is restored', async () => {
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
