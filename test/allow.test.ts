import { expect, test } from 'vitest'
import { start } from './support/start.ts'
import { organization } from './support/walk.ts'

const list = '/api/projects/1/annotations/'
const one = `${list}1/`
const plugins = `/api/organizations/${organization}/plugins/`

/** The paths with what Allow says of each: by the document what can succeed, live every method there is. */
const allowed = [
  { path: list, documented: 'GET, POST, HEAD, OPTIONS', live: 'GET, POST, HEAD, OPTIONS' },
  {
    path: one,
    documented: 'GET, PATCH, HEAD, OPTIONS',
    live: 'GET, PUT, PATCH, DELETE, HEAD, OPTIONS',
  },
  { path: '/api/projects/', documented: 'GET, HEAD, OPTIONS', live: 'GET, HEAD, OPTIONS' },
  { path: plugins, documented: 'GET, POST, HEAD, OPTIONS', live: 'GET, POST, HEAD, OPTIONS' },
  {
    path: `${plugins}21/`,
    documented: 'GET, PATCH, DELETE, HEAD, OPTIONS',
    live: 'GET, PUT, PATCH, DELETE, HEAD, OPTIONS',
  },
]

test.each(allowed)(
  '$path says what it allows with OPTIONS and with 405 [§1:allow] [§7:options] [§1:method]',
  async ({ path, ...expected }) => {
    for (const profile of ['documented', 'live'] as const) {
      const client = await start({ profile })
      const options = await client.send('OPTIONS', path)
      const refused = await client.send('PROPFIND', path, { key: 'phx_old' })

      expect([options.status, options.headers.get('allow')]).toEqual([200, expected[profile]])
      expect([refused.status, refused.headers.get('allow')]).toEqual([405, expected[profile]])
    }
  },
)

test('live, Allow is on every answer of a known path, errors included [§1:allow]', async () => {
  const client = await start({ profile: 'live' })
  const text = { 'content-type': 'text/plain' }

  for (const [status, method, path, asked, of] of [
    [200, 'GET', list, {}, list],
    [201, 'POST', list, { body: {} }, list],
    [400, 'POST', list, { body: [] }, list],
    [401, 'GET', one, { key: null }, one],
    [403, 'GET', one, { key: 'phx_plugins' }, one],
    [403, 'POST', one, { body: {} }, one],
    [404, 'GET', `${list}999/`, {}, one],
    [404, 'GET', '/api/projects/999/annotations/', {}, list],
    [404, 'GET', `${list}1.xml`, {}, one],
    [405, 'PATCH', list, { body: {} }, list],
    [406, 'GET', list, { headers: { accept: 'text/html' } }, list],
    [415, 'POST', list, { raw: 'x', headers: text }, list],
    [400, 'POST', list, { raw: 'x', headers: { 'content-type': 'multipart/form-data' } }, list],
    [404, 'GET', '/api/nothing/', {}, null],
  ] as const) {
    const response = await client.send(method, path, asked)
    const expected = allowed.find(({ path }) => path === of)?.live ?? null
    expect([response.status, response.headers.get('allow')], `${status}`).toEqual([
      status,
      expected,
    ])
  }
})

test('by the document answers but 405 and OPTIONS carry no Allow [§1:allow]', async () => {
  const client = await start()

  for (const [status, method, path, asked] of [
    [200, 'GET', one, {}],
    [201, 'POST', list, { body: {} }],
    [400, 'POST', list, { body: [] }],
    [401, 'GET', one, { key: null }],
    [404, 'GET', `${list}999/`, {}],
  ] as const) {
    const response = await client.send(method, path, asked)
    expect([response.status, response.headers.get('allow')]).toEqual([status, null])
  }
})
