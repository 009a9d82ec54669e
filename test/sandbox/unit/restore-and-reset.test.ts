import { expect, test } from 'vitest'
import { createSimulator } from '../../../src/simulator.ts'
import { authorization } from '../../support/api/headers.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { writeRows } from '../../support/api/write-rows.ts'

const clock = '2024-06-15T12:00:00Z'

test('a snapshot never changes, however often it is restored', async () => {
  const simulator = createSimulator({ clock })
  const before = JSON.stringify(simulator.world.toJSON())
  const snapshot = simulator.snapshot()

  for (let round = 0; round < 20; round++) {
    await writeRows(simulator)
    expect(JSON.stringify(simulator.world.toJSON())).not.toBe(before)
    simulator.restore(snapshot)
    expect(JSON.stringify(simulator.world.toJSON())).toBe(before)
  }
})

test('after restoring, the same requests get the same responses, ids included', async () => {
  const simulator = createSimulator({ clock })
  const snapshot = simulator.snapshot()

  const first = await writeRows(simulator)
  simulator.restore(snapshot)
  const second = await writeRows(simulator)

  expect(second).toEqual(first)
})

test('snapshots can be restored in any order', async () => {
  const simulator = createSimulator({ world: 'empty', clock })
  const snapshots = [simulator.snapshot()]
  for (let count = 1; count <= 5; count++) {
    simulator.world.annotations.create({ content: `Number ${count}` })
    snapshots.push(simulator.snapshot())
  }

  for (const index of [3, 5, 0, 4, 1, 2, 5]) {
    simulator.restore(snapshots[index] as (typeof snapshots)[0])
    expect(simulator.world.annotations.list().map(({ id }) => id)).toEqual(
      Array.from({ length: index }, (_, position) => position + 1),
    )
    await writeRows(simulator)
  }
})

test('reset restores the initial rows, not the last restored snapshot', async () => {
  const simulator = createSimulator({ clock })
  const before = JSON.stringify(simulator.world.toJSON())

  await writeRows(simulator)
  simulator.restore(simulator.snapshot())
  await writeRows(simulator)
  simulator.reset()
  const once = JSON.stringify(simulator.world.toJSON())
  await writeRows(simulator)
  simulator.reset()

  expect([once, JSON.stringify(simulator.world.toJSON())]).toEqual([before, before])
})

test('restoring a snapshot keeps the policies', async () => {
  const simulator = createSimulator({ clock })
  const snapshot = simulator.snapshot()
  const status = async () =>
    (await simulator.fetch(`${annotationsPath}1/`, { method: 'DELETE', headers: authorization() }))
      .status

  simulator.policies.set({ 'annotations.delete.status': 404 })
  simulator.restore(snapshot)

  expect(await status()).toBe(404)
})

test('restoring a snapshot restores its keys', async () => {
  const simulator = createSimulator()
  const snapshot = simulator.snapshot()
  const issued = simulator.keys.issue()
  simulator.keys.revoke('phx_all')

  simulator.restore(snapshot)

  expect((await simulator.fetch(annotationsPath, { headers: authorization(issued) })).status).toBe(
    401,
  )
  expect((await simulator.fetch(annotationsPath, { headers: authorization() })).status).toBe(200)
})

test('reset restarts the rate limit of a key', async () => {
  const simulator = createSimulator({ clock, policies: { 'limits.rate': 'observed' } })
  const status = async () =>
    (await simulator.fetch(annotationsPath, { headers: authorization() })).status
  for (let count = 0; count < 480; count++) await status()

  const tooMany = await status()
  simulator.reset()

  expect([tooMany, await status()]).toEqual([429, 200])
})
