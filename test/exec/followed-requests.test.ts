import { expect, test } from 'vitest'
import { followRequests } from '../../src/exec/exec.ts'
import { createSimulator } from '../../src/index.ts'
import { collectGarbage } from '../support/collect-garbage.ts'

test('nothing is kept of a sandbox that ended, but the lines of its requests', async () => {
  const simulator = createSimulator()
  const requests = followRequests(simulator)
  const use = async () => {
    const { id, key } = simulator.sandboxes.create()
    const headers = { authorization: `Bearer ${key}` }
    await simulator.fetch('http://localhost/api/projects/', { headers })
    const world = new WeakRef(Object(simulator.sandboxes.get(id)).state as object)
    simulator.sandboxes.delete(id)
    return world
  }
  const worlds = [await use(), await use()]
  // What a fetch keeps goes with the next turn.
  await new Promise((done) => setTimeout(done, 10))
  collectGarbage()

  expect(worlds.map((world) => world.deref())).toEqual([undefined, undefined])
  expect(requests.describe(1)).toHaveLength(3)
})

test('a request to a sandbox that waits is described, too', async () => {
  const simulator = createSimulator()
  const requests = followRequests(simulator)
  const { faults, fetch } = Object(simulator.sandboxes.get(simulator.sandboxes.create().id))
  faults.add({ effect: { hold: true } })
  const pending = fetch('/api/projects/')

  await expect.poll(() => requests.describe(1)).toHaveLength(2)
  await Promise.all([pending, faults.clear()])
})
