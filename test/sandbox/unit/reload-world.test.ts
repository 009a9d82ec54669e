import { expect, test } from 'vitest'
import defaultWorld from '../../../fixtures/default.json' with { type: 'json' }
import { reloadWorld } from '../../../src/sandbox/reload-world.ts'
import { createSimulator } from '../../../src/simulator.ts'
import type { WorldJson } from '../../../src/world/world-json.ts'

const before = defaultWorld as unknown as WorldJson
const [first, second, third] = before.annotations ?? []
const admin = { id: 99, project: 1 }

/** The next version of the world, with some rows of it changed. */
function after(rows: Partial<WorldJson>): WorldJson {
  return { ...before, ...rows }
}

test('what changed in the file comes, and what nobody wrote goes on', () => {
  const simulator = createSimulator({ world: before })

  const merged = reloadWorld(
    simulator,
    before,
    after({
      annotations: [{ ...first, content: 'Changed' }, second, { ...third, id: 50 }] as never,
    }),
  )

  const { annotations } = simulator.world
  expect(merged).toEqual({
    added: { annotations: 1 },
    changed: { annotations: 1 },
    removed: { annotations: 6 },
    conflicts: [],
  })
  expect(annotations.list().map(({ id, content }) => [id, content])).toEqual([
    [first?.id, 'Changed'],
    [second?.id, second?.content],
    [50, third?.content],
  ])
  expect(annotations.create().id).toBe(51)
})

test('what was written since stays, and each row that the file changes as well is told', () => {
  const simulator = createSimulator({ world: before })
  const { annotations } = simulator.world
  annotations.update(1, { content: 'Mine' })
  annotations.delete(2)
  annotations.update(3, { content: 'Mine, too' })
  const { id } = annotations.create({ content: 'New' })
  const [one, two, three, ...rest] = before.annotations ?? []

  const { conflicts } = reloadWorld(
    simulator,
    before,
    after({
      annotations: [
        { ...one, content: 'Theirs' },
        { ...two, content: 'Theirs' },
        ...rest,
        { ...three, id, content: 'Their new one' },
      ] as never,
    }),
  )

  expect(conflicts).toEqual([
    {
      list: 'annotations',
      id: 1,
      reason: 'was written since, and stays as it is (content)',
    },
    { list: 'annotations', id: 2, reason: 'was taken out since, and stays so' },
    {
      list: 'annotations',
      id,
      reason: 'was created since, and stays as it is',
    },
    { list: 'annotations', id: 3, reason: 'was written since, and stays' },
  ])
  expect(annotations.get(1)?.content).toBe('Mine')
  expect(annotations.get(2)).toBeUndefined()
  expect(annotations.get(3)?.content).toBe('Mine, too')
  expect(annotations.get(id)?.content).toBe('New')
})

test('a row that both wrote alike is no conflict', () => {
  const simulator = createSimulator({ world: before })
  simulator.world.annotations.update(1, { content: 'Same' })
  const [one, ...rest] = before.annotations ?? []

  const merged = reloadWorld(
    simulator,
    before,
    after({ annotations: [{ ...one, content: 'Same' }, ...rest] as never }),
  )

  expect(merged).toEqual({ added: {}, changed: {}, removed: {}, conflicts: [] })
})

test('a row that goes from the file stays while one that was written names it', () => {
  const simulator = createSimulator({ world: before })
  const dashboard_items = [
    ...(before.dashboard_items ?? []),
    { ...admin, short_id: 'x', name: null },
  ]
  reloadWorld(simulator, before, after({ dashboard_items }))
  const { id } = simulator.world.annotations.create({ scope: 'dashboard_item', dashboard_item: 99 })

  const { conflicts } = reloadWorld(simulator, after({ dashboard_items }), before)

  expect(conflicts).toEqual([
    {
      list: 'dashboard_items',
      id: 99,
      reason: `stays, since annotations ${id}: dashboard_item names it`,
    },
  ])
  expect(simulator.world.dashboard_items.get(99)).toBeDefined()
})

test('a row does not come that names one which was taken out', () => {
  const simulator = createSimulator({ world: before })
  for (const { id } of simulator.world.plugin_configs.list())
    simulator.world.plugin_configs.delete(id)
  const [config] = before.plugin_configs ?? []
  simulator.world.plugins.delete(config?.plugin as number)

  const { conflicts } = reloadWorld(
    simulator,
    before,
    after({ plugin_configs: [...(before.plugin_configs ?? []), { ...config, id: 77 }] as never }),
  )

  expect(conflicts).toEqual([
    {
      list: 'plugin_configs',
      id: 77,
      reason: expect.stringMatching(
        /^is not taken over: plugin: expected the id of one of plugins, got \d+, which was taken out since$/,
      ),
    },
  ])
})

test('reset goes back to the next version, and history tells of the rows that came', () => {
  const simulator = createSimulator({ world: before })
  simulator.world.annotations.create({ content: 'New' })

  reloadWorld(
    simulator,
    before,
    after({ annotations: [{ ...first, content: 'Changed' }] as never }),
  )
  const why = simulator.why('annotations', 1)
  simulator.reset()

  expect(why?.fields.find(({ field }) => field === 'content')?.since).toEqual({ edit: 'world' })
  expect(simulator.world.annotations.list().map(({ content }) => content)).toEqual(['Changed'])
})

test('a version with faults changes nothing', () => {
  const simulator = createSimulator({ world: before })
  const was = simulator.world.toJSON()

  expect(() =>
    reloadWorld(simulator, before, after({ annotations: [{ id: 1 }] as never })),
  ).toThrow(/^Failed to load the world: it has \d+ faults\. Nothing was loaded\./)
  expect(simulator.world.toJSON()).toEqual(was)
})

test('keys are told by their labels', () => {
  const simulator = createSimulator({ world: before })
  const [all, ...rest] = before.keys ?? []
  simulator.keys.revoke('phx_all')

  const { conflicts } = reloadWorld(
    simulator,
    before,
    after({ keys: [{ ...all, scopes: [] }, ...rest] as never }),
  )

  expect(conflicts).toEqual([
    { list: 'keys', id: 'all', reason: 'was taken out since, and stays so' },
  ])
})

test('where a project moves, what was written in it moves with it', async () => {
  const other = { id: '018f2b6e-0000-7000-8000-0000000000ff', name: 'Other' }
  const simulator = createSimulator({ world: before })
  const { id } = simulator.world.annotations.create({ content: 'New', scope: 'organization' })
  const projects = (before.projects ?? []).map((row) =>
    row.id === 1 ? { ...row, organization: other.id } : row,
  )
  const users = (before.users ?? []).map((row) => ({
    ...row,
    organizations: [...row.organizations, other.id],
  }))

  reloadWorld(
    simulator,
    before,
    after({ organizations: [...(before.organizations ?? []), other], projects, users }),
  )

  const headers = { authorization: 'Bearer phx_all' }
  const ids = async (project: number): Promise<number[]> => {
    const page = await simulator.fetch(`/api/projects/${project}/annotations/`, { headers })
    return (await page.json()).results.map((row: { id: number }) => row.id)
  }
  expect(await ids(1)).toContain(id)
  expect(await ids(2)).not.toContain(id)
})
