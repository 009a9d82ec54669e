import { expect, test } from 'vitest'
import { createSimulator, type Simulator } from '../../../src/simulator/simulator.ts'
import { usedBytes } from '../../support/collect-garbage.ts'

test('what a sandbox returns is a copy: a change of it affects no other world', () => {
  const simulator = createSimulator()
  const { id, keys } = simulator.sandboxes.create()
  const { settings } = simulator.sandboxes.get(id) as Simulator

  for (const { scopes } of keys) (scopes as string[] | null)?.push('changed')
  Object.assign(settings.values, { 'annotations.delete.status': 403 })

  const other = createSimulator()
  expect(simulator.keys.list()).toEqual(other.keys.list())
  expect(JSON.stringify(other.keys.list())).not.toContain('changed')
  expect(settings.values).toEqual(other.settings.values)
  expect(simulator.settings.values).toEqual(other.settings.values)
})

test('a row that a sandbox adds to a list is in no other world, and a reset removes it', () => {
  const simulator = createSimulator({ world: 'empty' })
  const sandbox = simulator.sandboxes.get(simulator.sandboxes.create().id) as Simulator
  const [mine, own] = [simulator.world.toJSON(), sandbox.world.toJSON()]
  const url = 'https://github.com/acme/added'
  const entry = { name: 'Added', url, description: '', verified: true, maintainer: 'community' }

  const added = sandbox.world.add({
    organizations: [{}],
    projects: [{}],
    users: [{}],
    keys: [{}],
    dashboard_items: [{}],
    plugins: [{}],
    plugin_configs: [{ plugin: 1 }],
    annotations: [{}],
    activity: [{ activity: 'installed', item_id: '1' }],
    repository: [entry],
  })
  const other = simulator.sandboxes.get(simulator.sandboxes.create().id) as Simulator
  const counts = Object.entries(sandbox.world.counts).map(
    ([list, count]) => count - (simulator.world.counts[list] ?? 0),
  )
  const shared = [simulator.world.toJSON(), { ...other.world.toJSON(), keys: own.keys }]
  sandbox.reset()

  expect(Object.values(added)).toEqual(Array(10).fill([expect.anything()]))
  expect(counts).toEqual(counts.map(() => 1))
  expect(shared).toEqual([mine, own])
  expect(sandbox.world.toJSON()).toEqual(own)
})

test('a sandbox shares with the world that it starts from what it does not change', () => {
  const { sandboxes, world } = createSimulator({ world: 'empty' })
  world.add({ annotations: Array.from({ length: 2_000 }, () => ({ content: 'x' })) })
  const create = (count: number) => {
    for (let index = 0; index < count; index++) sandboxes.create({ from: 'current' })
  }
  create(20)
  const before = usedBytes()

  create(80)

  // A list of its own of the same rows would take 16,000 bytes.
  expect((usedBytes() - before) / 80).toBeLessThan(12_000)
})
