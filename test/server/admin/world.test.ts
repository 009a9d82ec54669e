import { expect, test } from 'vitest'
import packageJson from '../../../package.json' with { type: 'json' }
import { spendRequests } from '../../support/api/rate-limit.ts'
import { collectErrors } from '../../support/errors.ts'
import { serve } from '../../support/transports/start.ts'

const world = '/__admin/world'
const json = { 'content-type': 'application/json' }

test('health reports that the server is ready, without a key', async () => {
  const { admin } = await serve()

  expect(await admin('GET', '/__admin/health')).toEqual({
    status: 200,
    body: { name: packageJson.name, status: 'ready', version: packageJson.version },
  })
  expect(await admin('HEAD', '/__admin/health/')).toEqual({ status: 200, body: undefined })
})

test('settings of the service do not apply to the admin API', async () => {
  const { admin, simulator } = await serve({
    settings: { 'errors.body': 'empty', 'limits.rate': '480_per_minute' },
  })
  spendRequests(simulator)

  const refused = await admin('POST', '/__admin/health')

  expect(refused).toEqual({
    status: 405,
    body: {
      type: 'invalid_request',
      code: 'method_not_allowed',
      detail: 'Method "POST" not allowed. Send GET.',
      attr: null,
    },
  })
  expect((await admin('GET', '/__admin/health')).status).toBe(200)
})

test('a misspelt fixture is refused as a world with a 400 that suggests one, and nothing changes', async () => {
  const { errors: reported, onError } = collectErrors()
  const { admin, simulator } = await serve({ onError }, { onError })
  const before = simulator.world.toJSON()

  expect(await admin('PUT', world, { headers: json, raw: '"od"' })).toMatchObject({
    status: 400,
    body: { detail: expect.stringMatching(/or a world as JSON, got "od"\. Did you mean odd\?$/) },
  })
  expect(simulator.world.toJSON()).toEqual(before)
  expect(reported).toEqual([])
})

test.each([
  ['PUT', { generate: { annotations: 1_000_001 } }, 'at most 1000000 generated rows in total, got'],
  [
    'PATCH',
    { users: Array(4_999).fill({}), delete: { users: [8, 9] } },
    'at most 5000 rows, got 5001.',
  ],
  ['PATCH', { users: Array(50_000).fill({}) }, 'at most 5000 rows, got 50000. Make several'],
] as const)('%s refuses more rows than a limit: $2', async (method, body, detail) => {
  const { admin, simulator } = await serve()
  const before = simulator.world.toJSON()

  const refused = await admin(method, world, { body })

  expect(refused).toMatchObject({ status: 400, body: { detail: expect.stringContaining(detail) } })
  expect(simulator.world.toJSON()).toEqual(before)
})

test('a row is updated, deleted, restored and removed without a request in the journal', async () => {
  const { ask, simulator } = await serve()
  const address = '/__admin/world/annotations/1'
  const before = simulator.world.annotations.get(1)

  const deleted = await ask('PATCH', address, { key: null, body: { deleted: true } })
  const hidden = await ask('GET', '/api/projects/1/annotations/1/')
  const restored = await ask('PATCH', address, { key: null, body: { deleted: false } })
  const removed = await ask('DELETE', address, { key: null })
  const gone = await ask('GET', address, { key: null })

  expect([deleted, restored]).toEqual([
    { status: 200, body: { ...before, deleted: true } },
    { status: 200, body: before },
  ])
  expect([hidden.status, removed.status, gone.status]).toEqual([404, 204, 404])
  expect(simulator.journal.find()).toHaveLength(1)
})

test.each(['0x1', '1e0', 'one', '%201'])('%s is not the id of a row', async (id) => {
  const { ask } = await serve()

  const response = await ask('GET', `/__admin/world/annotations/${id}`, { key: null })

  expect(response).toMatchObject({ status: 404, body: { attr: 'id' } })
})
