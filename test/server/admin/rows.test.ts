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

  expect(response).toMatchObject({ status: 404, body: { attr: 'id' } })
})
