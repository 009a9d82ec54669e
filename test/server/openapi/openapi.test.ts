import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { start } from '../../support/lanes/start.ts'

const committed = JSON.parse(
  readFileSync(new URL('../../../src/api/openapi.json', import.meta.url), 'utf8'),
)

test('GET /openapi.json describes the API without a key', async () => {
  const client = await start()

  const response = await client.ask('GET', '/openapi.json', { key: null })

  expect(response).toEqual({ status: 200, body: committed })
  const head = await client.send('HEAD', '/openapi.json', { key: null })
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'application/json'])
})

test('the document follows the current settings', async () => {
  const { ask, simulator } = await start({ profile: 'live' })

  const live = await ask('GET', '/openapi.json', { key: null })
  simulator.settings.set({ 'methods.put': 'off' })
  const withoutPut = await ask('GET', '/openapi.json', { key: null })

  expect(live.body).toHaveProperty(['paths', '/api/projects/{project_id}/annotations/{id}', 'put'])
  expect(withoutPut.body).not.toHaveProperty([
    'paths',
    '/api/projects/{project_id}/annotations/{id}',
    'put',
  ])
})

test('each sandbox has a document of its own', async () => {
  const { ask, simulator } = await start()
  const { id } = simulator.sandboxes.create({ settings: { 'methods.put': 'on' } })

  const own = await ask('GET', `/__sandbox/${id}/openapi.json`, { key: null })
  const other = await ask('GET', '/openapi.json', { key: null })

  const put = ['paths', '/api/projects/{project_id}/annotations/{id}', 'put']
  expect(own.body).toHaveProperty([...put, 'operationId'])
  expect(own.body).toHaveProperty(
    'info.description',
    expect.stringContaining('with `methods.put` = `on`'),
  )
  expect(other.body).not.toHaveProperty(put)
  expect((await ask('GET', '/__sandbox/none/openapi.json', { key: null })).status).toBe(404)
})

test('other methods respond with 405 and other paths with 404, and requests for the document are not in the journal', async () => {
  const client = await start()

  const posted = await client.send('POST', '/openapi.json', { body: {} })
  const near = await client.ask('GET', '/api/openapi.json')

  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  expect(await posted.json()).toEqual({
    type: 'invalid_request',
    code: 'method_not_allowed',
    detail: 'Method "POST" not allowed.',
    attr: null,
  })
  expect(near).toMatchObject({ status: 404, body: { detail: 'Endpoint not found.' } })
  expect(client.simulator.journal.find().map(({ path }) => path)).toEqual(['/api/openapi.json'])
})

test('pages of any origin can read the document', async () => {
  const client = await start()

  const response = await client.send('GET', '/openapi.json', {
    key: null,
    headers: { origin: 'https://editor.example.com' },
  })

  expect(response.headers.get('access-control-allow-origin')).toBe('*')
})
