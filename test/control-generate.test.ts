import { expect } from 'vitest'
import { overHttp, start } from './support/start.ts'

const json = { key: null }

overHttp(
  'what is made follows from the seed, and does not come again (over HTTP only)',
  async () => {
    const made = async (seed: number) => {
      const { ask, simulator } = await start({ seed })
      const generate = () => ask('POST', '/__admin/generate', { ...json, body: { annotations: 1 } })
      const contents: unknown[] = []
      for (const id of [9, 10]) {
        await generate()
        contents.push(simulator.world.annotations.get(id)?.content)
        simulator.world.annotations.delete(id)
      }
      return contents
    }

    const [one, same, other] = [await made(7), await made(7), await made(8)]

    expect(same).toEqual(one)
    expect(new Set([...one, ...other]).size).toBe(4)
  },
)

overHttp('rows of several lists are made, or none (over HTTP only)', async () => {
  const { ask, simulator } = await start({ world: 'empty' })
  const before = simulator.world.toJSON()

  const refused = await ask('POST', '/__admin/generate', {
    ...json,
    body: { users: 1, plugin_configs: 2 },
  })
  const after = simulator.world.toJSON()
  const made = await ask('POST', '/__admin/generate', {
    ...json,
    body: { plugins: 2, plugin_configs: 5 },
  })

  expect(refused.status).toBe(400)
  expect(after).toEqual(before)
  expect(made.status).toBe(200)
  expect(simulator.world.counts).toMatchObject({ plugins: 2, plugin_configs: 5 })
})

overHttp('more rows are made by the factories, others each time (over HTTP only)', async () => {
  const { ask, simulator } = await start()
  const { world } = simulator
  const [annotations, plugins] = [world.annotations.count, world.plugins.count]

  const first = await ask('POST', '/__admin/generate', {
    key: null,
    body: { annotations: 3, plugins: 2 },
  })
  const second = await ask('POST', '/__admin/generate', { key: null, body: { annotations: 3 } })

  expect(first).toEqual({
    status: 200,
    body: { plugins: [25, 26], annotations: [9, 10, 11] },
  })
  expect(second).toEqual({ status: 200, body: { annotations: [12, 13, 14] } })
  const made = [9, 10, 11, 12, 13, 14].map((id) => world.annotations.get(id))
  expect(new Set(made.map((row) => `${row?.content} ${row?.date_marker}`)).size).toBe(6)
  for (const row of made) expect(world.projects.get(row?.project ?? 0)).toBeDefined()
  expect([world.annotations.count, world.plugins.count]).toEqual([annotations + 6, plugins + 2])
})
