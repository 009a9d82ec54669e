import { expect, test } from 'vitest'
import { organization } from '../support/api/endpoints.ts'
import { refusal } from '../support/api/errors.ts'
import { start } from '../support/lanes/start.ts'

const list = '/api/projects/1/annotations/'
const plugins = `/api/organizations/${organization}/plugins/`
const json = { 'content-type': 'application/json' }

/** One request for each status of an error, its type and its code. */
const errors = [
  [400, 'validation_error', 'null', 'POST', list, { body: { scope: null } }],
  [400, 'invalid_request', 'parse_error', 'POST', list, { raw: '{', headers: json }],
  [401, 'authentication_error', 'not_authenticated', 'GET', list, { key: null }],
  [401, 'authentication_error', 'authentication_failed', 'GET', list, { key: 'phx_nobody' }],
  [403, 'authentication_error', 'permission_denied', 'GET', list, { key: 'phx_plugins' }],
  [404, 'invalid_request', 'not_found', 'GET', `${list}999/`, {}],
  [404, 'invalid_request', 'not_found', 'GET', '/api/nothing/', {}],
  [405, 'invalid_request', 'method_not_allowed', 'PATCH', list, { body: {} }],
  [406, 'invalid_request', 'not_acceptable', 'GET', list, { headers: { accept: 'text/html' } }],
  [415, 'invalid_request', 'unsupported_media_type', 'POST', list, { raw: 'x' }],
] as const

test.each(errors)(
  'a %i has type %s, code %s, a detail and an attr, in that order [§1:envelope] [§1:content-type] [§1:no-www-authenticate]',
  async (status, type, code, method, path, asked) => {
    for (const profile of ['documented', 'live'] as const) {
      const client = await start({ profile })

      const response = await client.send(method, path, asked)
      const text = await response.text()
      const body = JSON.parse(text)

      expect([response.status, body.type, body.code]).toEqual([status, type, code])
      expect(body.attr).toBe(type === 'validation_error' ? 'scope' : null)
      expect(body.detail).toMatch(/\.$|'$|\)$/)
      expect(text).toBe(JSON.stringify({ type, code, detail: body.detail, attr: body.attr }))
      const headers = ['content-type', 'www-authenticate', 'retry-after', 'vary']
      expect(headers.map((name) => response.headers.get(name))).toEqual([
        ...['application/json', null, null, null],
      ])
    }
  },
)

test('what goes wrong inside is a 500 that tells nothing [§1:500]', async () => {
  const reported: unknown[] = []
  const { ask, simulator } = await start({ onError: (error) => reported.push(error) })
  const broken = new Error('a secret of the inside')
  simulator.clock.iso = () => {
    throw broken
  }

  const answer = await ask('POST', list, { body: {} })

  expect(answer).toEqual(refusal(500, 'server_error', 'error', 'A server error occurred.'))
  expect(reported).toEqual([broken])
  expect(await ask('GET', list)).toMatchObject({ status: 200, body: { count: 6 } })
})

test('answers are JSON without a charset, and do not vary [§1:content-type]', async () => {
  for (const profile of ['documented', 'live'] as const) {
    const client = await start({ profile })
    for (const [method, path] of [
      ['GET', list],
      ['POST', list],
      ['GET', `${list}1/`],
      ['PATCH', `${list}1/`],
      ['OPTIONS', list],
      ['GET', plugins],
      ['GET', '/api/projects/'],
    ] as const) {
      const body = method === 'POST' || method === 'PATCH' ? { body: { content: 'é 🦔' } } : {}
      const { ok, headers } = await client.send(method, path, body)
      const seen = [ok, headers.get('content-type'), headers.get('vary')]
      expect(seen, `${method} ${path}`).toEqual([true, 'application/json', null])
    }
  }
})

const one = `${list}1/`

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
