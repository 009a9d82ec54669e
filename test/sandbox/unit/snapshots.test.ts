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
