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

  expect(body).toMatchObject({ detail: 'Endpoint not found. Did you mean /__admin/journal?' })
  const listed = 'Endpoint not found. GET /__admin/openapi.json lists the operations.'
  expect(other).toMatchObject({ detail: listed })
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, DELETE'])
  expect(simulator.journal.find()).toEqual([])
  expect(simulator.sandboxes.get(id)?.journal.find()).toEqual([])
})

test.each([
  ['POST', '/sandboxes', 'POST /__admin/sandboxes'],
  ['DELETE', '/sandboxes/sandbox-1', 'DELETE /__admin/sandboxes/:id'],
  ['PUT', '/sandboxes/', 'GET /__admin/sandboxes, POST /__admin/sandboxes'],
  ['GET', '/healthz?probe=1', 'GET /__admin/health'],
  ['POST', '/_admin/reset', 'POST /__admin/reset'],
  ['GET', '/__sandbox/sandbox-1/journal', 'GET /__admin/journal'],
])('%s %s, as a client with another base URL sends it, names %s', async (method, path, nearest) => {
  const { origin, simulator } = await serve()
  const { id } = simulator.sandboxes.create()
  const world = path.startsWith('/__sandbox') ? simulator.sandboxes.get(id) : simulator

  const response = await fetch(origin + path, { method })

  expect([response.status, response.headers.get('understudy-nearest')]).toEqual([404, nearest])
  const [entry] = world?.journal.find() ?? []
  const [route = ''] = nearest.split(', ')
  const difference = 'the paths of the admin API begin with /__admin'
  expect(entry?.nearest?.[0]).toEqual({ route, difference })
  expect(entry?.reason).toContain(`(nearest: ${route}; ${difference})`)
})

test('a path that resembles none of the admin API has the nearest operations of the API', async () => {
  const { origin } = await serve()

  const { headers } = await fetch(`${origin}/project`)

  expect(headers.get('understudy-nearest')).toMatch('GET /api/projects')
})
