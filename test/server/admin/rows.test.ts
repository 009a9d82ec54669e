import { expect, test } from 'vitest'
import { serve } from '../../support/transports/start.ts'

const json = { key: null }

test('a row is updated, deleted, restored and removed without a request in the journal', async () => {
  const { ask, simulator } = await serve()
  const address = '/__admin/world/annotations/1'
  const before = simulator.world.annotations.get(1)

  const deleted = await ask('PATCH', address, { key: null, body: { deleted: true } })
  const hidden = await ask('GET', '/api/projects/1/annotations/1/')
  const restored = await ask('PATCH', address, { key: null, body: { deleted: false } })
  const removed = await ask('DELETE', address, json)
  const gone = await ask('GET', address, json)

  expect([deleted, restored]).toEqual([
    { status: 200, body: { ...before, deleted: true } },
    { status: 200, body: before },
  ])
  expect([hidden.status, removed.status, gone.status]).toEqual([404, 204, 404])
  expect(simulator.journal.find()).toHaveLength(1)
})

test.each(['0x1', '1e0', 'one', '%201'])('%s is not the id of a row', async (id) => {
  const { ask } = await serve()

  const response = await ask('GET', `/__admin/world/annotations/${id}`, json)

  expect(response).toEqual({
    status: 404,
    body: {
      type: 'invalid_request',
      code: 'not_found',
      detail: `Row ${decodeURIComponent(id)} of annotations not found: it never existed, or was removed.`,
      attr: 'id',
    },
  })
})

test('generated rows depend on the seed, and are never repeated', async () => {
  const contents: unknown[] = []
  for (const seed of [7, 7, 8]) {
    const { ask, simulator } = await serve({ seed })
    for (const id of [9, 10]) {
      await ask('PATCH', '/__admin/world', { ...json, body: { generate: { annotations: 1 } } })
      contents.push(simulator.world.annotations.get(id)?.content)
      simulator.world.annotations.delete(id)
    }
  }

  expect(contents.slice(2, 4)).toEqual(contents.slice(0, 2))
  expect(new Set(contents).size).toBe(4)
})

test('rows of several lists are generated, all or none', async () => {
  const { ask, simulator } = await serve({ world: 'empty' })
  const before = simulator.world.toJSON()

  const refused = await ask('PATCH', '/__admin/world', {
    ...json,
    body: { generate: { users: 1, plugin_configs: 2 } },
  })
  const after = simulator.world.toJSON()
  const generated = await ask('PATCH', '/__admin/world', {
    ...json,
    body: { generate: { plugins: 2, plugin_configs: 5 } },
  })

  expect(refused.status).toBe(400)
  expect(after).toEqual(before)
  expect(generated.status).toBe(200)
  expect(simulator.world.counts).toMatchObject({ plugins: 2, plugin_configs: 5 })
})
