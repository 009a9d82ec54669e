import { expect, test } from 'vitest'
import { acme, annotationsPath } from '../support/api/paths.ts'
import { start } from '../support/lanes/start.ts'

const plugins = `/api/organizations/${acme}/plugins/`
const json = { 'content-type': 'application/json' }

/** A request for each status, type and code of an error. */
const errors = [
  [400, 'validation_error', 'null', 'POST', annotationsPath, { body: { scope: null } }],
  [400, 'invalid_request', 'parse_error', 'POST', annotationsPath, { raw: '{', headers: json }],
  [401, 'authentication_error', 'not_authenticated', 'GET', annotationsPath, { key: null }],
  [
    401,
    'authentication_error',
    'authentication_failed',
    'GET',
    annotationsPath,
    { key: 'phx_nobody' },
  ],
  [
    403,
    'authentication_error',
    'permission_denied',
    'GET',
    annotationsPath,
    { key: 'phx_plugins' },
  ],
  [404, 'invalid_request', 'not_found', 'GET', `${annotationsPath}999/`, {}],
  [404, 'invalid_request', 'not_found', 'GET', '/api/nothing/', {}],
  [405, 'invalid_request', 'method_not_allowed', 'PATCH', annotationsPath, { body: {} }],
  [
    406,
    'invalid_request',
    'not_acceptable',
    'GET',
    annotationsPath,
    { headers: { accept: 'text/html' } },
  ],
  [415, 'invalid_request', 'unsupported_media_type', 'POST', annotationsPath, { raw: 'x' }],
] as const

test.each(errors)(
  'an error %i has the type %s, the code %s, a detail and an attr, in that order',
  async (status, type, code, method, path, options) => {
    for (const profile of ['documented', 'live'] as const) {
      const client = await start({ profile })

      const response = await client.send(method, path, options)
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

test('responses are JSON without a charset or a Vary header', async () => {
  for (const profile of ['documented', 'live'] as const) {
    const client = await start({ profile })
    for (const [method, path] of [
      ['GET', annotationsPath],
      ['POST', annotationsPath],
      ['GET', `${annotationsPath}1/`],
      ['PATCH', `${annotationsPath}1/`],
      ['OPTIONS', annotationsPath],
      ['GET', plugins],
      ['GET', '/api/projects/'],
    ] as const) {
      const body = method === 'POST' || method === 'PATCH' ? { body: { content: 'é 🦔' } } : {}
      const { ok, headers } = await client.send(method, path, body)
      const actual = [ok, headers.get('content-type'), headers.get('vary')]
      expect(actual, `${method} ${path}`).toEqual([true, 'application/json', null])
    }
  }
})

const single = `${annotationsPath}1/`

/** The Allow header of each path: in the documented profile the methods that can succeed, in the live profile all methods. */
const allowHeaders = [
  {
    path: annotationsPath,
    documented: 'GET, POST, HEAD, OPTIONS',
    live: 'GET, POST, HEAD, OPTIONS',
  },
  {
    path: single,
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

test.each(allowHeaders)(
  '$path has an Allow header with OPTIONS and with 405',
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

test('in the live profile every response of a known path has an Allow header, errors included', async () => {
  const client = await start({ profile: 'live' })
  const text = { 'content-type': 'text/plain' }

  for (const [status, method, path, options, pathOfAllow] of [
    [200, 'GET', annotationsPath, {}, annotationsPath],
    [201, 'POST', annotationsPath, { body: {} }, annotationsPath],
    [400, 'POST', annotationsPath, { body: [] }, annotationsPath],
    [401, 'GET', single, { key: null }, single],
    [403, 'GET', single, { key: 'phx_plugins' }, single],
    [403, 'POST', single, { body: {} }, single],
    [404, 'GET', `${annotationsPath}999/`, {}, single],
    [404, 'GET', '/api/projects/999/annotations/', {}, annotationsPath],
    [404, 'GET', `${annotationsPath}1.xml`, {}, single],
    [405, 'PATCH', annotationsPath, { body: {} }, annotationsPath],
    [406, 'GET', annotationsPath, { headers: { accept: 'text/html' } }, annotationsPath],
    [415, 'POST', annotationsPath, { raw: 'x', headers: text }, annotationsPath],
    [
      400,
      'POST',
      annotationsPath,
      { raw: 'x', headers: { 'content-type': 'multipart/form-data' } },
      annotationsPath,
    ],
  ] as const) {
    const response = await client.send(method, path, options)
    const expected = allowHeaders.find(({ path }) => path === pathOfAllow)?.live ?? null
    expect([response.status, response.headers.get('allow')], `${status}`).toEqual([
      status,
      expected,
    ])
  }
})

test('in the documented profile only 405 and OPTIONS have an Allow header', async () => {
  const client = await start()

  for (const [status, method, path, options] of [
    [200, 'GET', single, {}],
    [201, 'POST', annotationsPath, { body: {} }],
    [400, 'POST', annotationsPath, { body: [] }],
    [401, 'GET', single, { key: null }],
    [404, 'GET', `${annotationsPath}999/`, {}],
  ] as const) {
    const response = await client.send(method, path, options)
    expect([response.status, response.headers.get('allow')]).toEqual([status, null])
  }
})
