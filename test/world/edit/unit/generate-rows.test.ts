import { expect, test } from 'vitest'
import { createSimulator } from '../../../../src/simulator.ts'
import { generateRows, type RowCounts } from '../../../../src/world/edit/generate-rows.ts'
import { generateInSlices } from '../../../../src/world/factories/generate.ts'

const grow = async (counts: RowCounts, simulator = createSimulator()) => {
  const ids = await generateRows(simulator, counts, generateInSlices)
  return { ids, world: simulator.world }
}

test('generated rows reference the rows of the world', async () => {
  const before = createSimulator().world
  const { ids, world } = await grow({ annotations: 40, plugin_configs: 10 })
  const idsOf = (list: 'projects' | 'users' | 'plugins') =>
    new Set<number | null>(before[list].list().map(({ id }) => id))

  expect([ids.annotations?.length, ids.plugin_configs?.length]).toEqual([40, 10])
  expect(world.counts).toEqual({
    ...before.counts,
    annotations: before.annotations.count + 40,
    plugin_configs: before.plugin_configs.count + 10,
  })
  const annotations = world.annotations.list().slice(-40)
  expect(new Set(annotations.map(({ project }) => project))).toEqual(idsOf('projects'))
  expect([...idsOf('users')]).toEqual(
    expect.arrayContaining(annotations.flatMap(({ created_by }) => created_by ?? [])),
  )
  for (const { plugin } of world.plugin_configs.list()) expect(idsOf('plugins')).toContain(plugin)
})

test('rows of one call reference each other, and a second call adds other rows', async () => {
  const simulator = createSimulator({ world: 'empty' })

  const first = await grow({ projects: 2, annotations: 4 }, simulator)
  const second = await grow({ annotations: 4 }, simulator)

  expect(first.ids).toEqual({ projects: [2, 3], annotations: [1, 2, 3, 4] })
  expect(second.ids).toEqual({ annotations: [5, 6, 7, 8] })
  const rows = simulator.world.annotations.list()
  expect(new Set(rows.map(({ project }) => project))).toEqual(new Set([1, 2, 3]))
  expect(new Set(rows.map(({ content, created_at }) => `${content} ${created_at}`)).size).toBe(8)
})

test('a generation that fails adds no rows', async () => {
  const simulator = createSimulator({ world: 'empty' })
  const before = simulator.world.toJSON()

  await expect(grow({ users: 1, plugin_configs: 2 }, simulator)).rejects.toThrow()

  expect(simulator.world.toJSON()).toEqual(before)
})
