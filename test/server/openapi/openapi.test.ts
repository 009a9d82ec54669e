import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { resolvePolicies } from '../../../src/policies/settings.ts'
import { createApiDocument } from '../../../src/server/openapi/api-document.ts'
import { socketTest, start } from '../../support/lanes/start.ts'

const committed = JSON.parse(
  readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'),
)

socketTest(
  'a server tells what it answers, without a key, at /openapi.json (over HTTP only: a server has it)',
  async () => {
    const client = await start()

    const answer = await client.ask('GET', '/openapi.json', { key: null })

    expect(answer).toEqual({ status: 200, body: committed })
    const head = await client.send('HEAD', '/openapi.json', { key: null })
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'application/json'])
  },
)

socketTest(
  'it goes by the policies as they are set (over HTTP only: a server has it)',
  async () => {
    const { ask, simulator } = await start({ profile: 'live' })

    const live = await ask('GET', '/openapi.json', { key: null })
    simulator.policies.set({ 'methods.put': 'off' })
    const without = await ask('GET', '/openapi.json', { key: null })

    expect(live.body).toEqual(await createApiDocument(resolvePolicies('live')))
    expect(live.body).toHaveProperty([
      'paths',
      '/api/projects/{project_id}/annotations/{id}',
      'put',
    ])
    expect(without.body).not.toHaveProperty([
      'paths',
      '/api/projects/{project_id}/annotations/{id}',
      'put',
    ])
  },
)

socketTest('each sandbox has its own (over HTTP only: a server has it)', async () => {
  const { ask, simulator } = await start()
  const { id } = simulator.sandboxes.create({ policies: { 'methods.put': 'on' } })

  const own = await ask('GET', `/__sandbox/${id}/openapi.json`, { key: null })

  expect(own.body).toEqual(
    await createApiDocument(resolvePolicies('documented', { 'methods.put': 'on' })),
  )
  expect((await ask('GET', '/__sandbox/none/openapi.json', { key: null })).status).toBe(404)
})

socketTest(
  'it is one path beside the API: other methods answer 405, other paths 404, and neither is journalled (over HTTP only: a server has it)',
  async () => {
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
  },
)

socketTest(
  'pages of any origin may read it, as they may read the API (over HTTP only: a server has it)',
  async () => {
    const client = await start()

    const answer = await client.send('GET', '/openapi.json', {
      key: null,
      headers: { origin: 'https://editor.example.com' },
    })

    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
  },
)
