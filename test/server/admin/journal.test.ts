import { expect, test } from 'vitest'
import { annotationsPath as list } from '../../support/api/paths.ts'
import { serve } from '../../support/transports/start.ts'

const journal = '/__admin/journal'

test('requests to the admin API never appear in the journal, even for unknown paths', async () => {
  const { admin, origin, simulator } = await serve()
  const { id } = simulator.sandboxes.create()

  await admin('GET', journal)
  const { body } = await admin('POST', `${journal}s/clear`)
  const refused = await fetch(origin + journal, { method: 'PATCH' })
  await admin('GET', `/__sandbox/${id}${journal}`)
  await admin('GET', `/__sandbox/${id}/__admin/nowhere`)

  const detail = 'Endpoint not found. GET /__admin/openapi.json lists the operations.'
  expect(body).toMatchObject({ detail })
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, DELETE'])
  expect(simulator.journal.find()).toEqual([])
  expect(simulator.sandboxes.get(id)?.journal.find()).toEqual([])
})

test('the list and the archive say how many requests the journal no longer has', async () => {
  const { ask, origin, simulator } = await serve({ journal: { entries: 2 } })
  for (let count = 0; count < 5; count++) await ask('GET', '/api/projects/')

  const { headers } = await fetch(origin + journal)

  expect(headers.get('understudy-evicted')).toBe('3')
  expect(simulator.journal.toHar().log.comment).toMatch(/^3 earlier requests were evicted/)
})

test('a path outside the admin API has the nearest operations of the API', async () => {
  const { origin } = await serve()

  const { headers } = await fetch(`${origin}/project`)

  expect(headers.get('understudy-nearest')).toMatch('GET /api/projects')
})

test('the token of a server is masked wherever it stands, also in sandboxes, archives and recordings', async () => {
  const { ask, simulator } = await serve({}, { token: 'correct horse battery' })
  const { id, key } = simulator.sandboxes.create()
  const sandbox = simulator.sandboxes.get(id)

  for (const of of ['phx_all', key]) {
    await ask('GET', `${list}?search=correct%20horse%20battery`, { key: of })
    await ask('POST', list, { key: of, body: { content: 'of correct horse battery' } })
  }

  const shown = [simulator, sandbox].map((one) => JSON.stringify(one?.journal.find()))
  const written = [simulator, sandbox].map((one) => [one?.journal.toHar(), one?.record()])
  expect([...shown, JSON.stringify(written)].join()).not.toContain('battery')
  expect(shown[0]).toContain('of corr…tery')
})
