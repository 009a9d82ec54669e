import { expect, test } from 'vitest'
import { serve } from '../../support/transports/start.ts'

const journal = '/__admin/journal'

test('requests to the admin API never appear in the journal, even for unknown paths', async () => {
  const { admin, origin, simulator } = await serve()
  const { id } = simulator.sandboxes.create()

  await admin('GET', journal)
  const { body } = await admin('GET', '/__admin/jornl')
  const { body: other } = await admin('GET', '/__admin/mappings')
  const refused = await fetch(origin + journal, { method: 'PATCH' })
  await admin('GET', `/__sandbox/${id}${journal}`)
  await admin('GET', `/__sandbox/${id}/__admin/nowhere`)

  expect(body).toMatchObject({
    detail: expect.stringContaining('Did you mean GET /__admin/journal?'),
  })
  const listed = 'Endpoint not found. GET /__admin/openapi.json lists the operations.'
  expect(other).toMatchObject({ detail: listed })
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, DELETE'])
  expect(simulator.journal.find()).toEqual([])
  expect(simulator.sandboxes.get(id)?.journal.find()).toEqual([])
})

test.each([
  ['POST', '/clock/advance', 'PUT /__admin/clock'],
  ['GET', '/mistakes', 'GET /__admin/journal/mistakes'],
  ['POST', '/sandbox', 'POST /__admin/sandboxes'],
  ['GET', '/healthz', 'GET /__admin/health'],
  ['PATCH', '/world/annotations/1/content', 'PATCH /__admin/world'],
])(
  'an unknown path of the admin API names the nearest operation: %s %s',
  async (method, path, nearest) => {
    const { admin } = await serve()

    expect(await admin(method, `/__admin${path}`)).toMatchObject({
      status: 404,
      body: {
        detail: `Endpoint not found. Did you mean ${nearest}? GET /__admin/openapi.json lists the operations.`,
      },
    })
  },
)

test('a path outside the admin API has the nearest operations of the API', async () => {
  const { origin } = await serve()

  const { headers } = await fetch(`${origin}/project`)

  expect(headers.get('understudy-nearest')).toMatch('GET /api/projects')
})
