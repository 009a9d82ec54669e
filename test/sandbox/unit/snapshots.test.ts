import { expect, test } from 'vitest'
import { createSimulator } from '../../../src/simulator.ts'
import { noon } from '../../support/api/paths.ts'

const { loaded } = createSimulator({ world: 'empty' }).sandbox

test('a world that loads later is saved when it has loaded', async () => {
  const { snapshots } = createSimulator({ clock: noon })

  const info = await snapshots.importLoaded('later', async () => loaded)

  expect(info).toMatchObject({ name: 'later', saved_at: noon, rows: { annotations: 0, users: 1 } })
  expect(snapshots.list()).toEqual([info])
  expect(snapshots.has('later')).toBe(true)
  expect([...snapshots.all.keys()]).toEqual(['later'])
})

test('a world does not load for a name that is refused', async () => {
  const { snapshots } = createSimulator()
  let loads = 0
  const load = async () => {
    loads += 1
    return loaded
  }

  await expect(snapshots.importLoaded('a b', load)).rejects.toThrow(
    'Failed to save a snapshot: expected a name of 1 to 100 letters, digits, - and _, got "a b".',
  )
  expect([loads, snapshots.has('a b')]).toEqual([0, false])
})

test.each(['a', 'A-b_9', 'x'.repeat(100)])('the name %s is accepted', (name) => {
  const { snapshots } = createSimulator()

  expect(snapshots.save(name).name).toBe(name)
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
])('with the snapshots %j, %j is refused: %s', (names, name, message) => {
  const { snapshots } = createSimulator()
  for (const each of names) snapshots.save(each)

  expect(() => snapshots.restore(name as string)).toThrow(
    expect.objectContaining({ message: `Failed to restore a snapshot: ${message}`, field: 'name' }),
  )
})

test('a snapshot has the seed and the date of its world', () => {
  const world = { now: '2024-01-01T00:00:00Z', seed: 7 }
  const simulator = createSimulator({ world })
  simulator.snapshots.save('seven')
  simulator.replaceWorld('default')

  simulator.snapshots.restore('seven')

  expect(simulator.world.toJSON()).toMatchObject(world)
  expect(simulator.snapshots.get('seven')).toEqual(simulator.world.toJSON())
})
