import http, { type IncomingMessage, type RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import express from 'express'
import { HttpResponse, http as mock, passthrough } from 'msw'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createSimulator, type Simulator } from '../../../src/index.ts'
import { type ListenOptions, listen } from '../../../src/node.ts'
import { startHttpServer } from '../../support/http-server.ts'

const key = 'phx_all'

interface Received {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** A service that responds with what it received. */
async function startService(): Promise<{ origin: string; received: Received[] }> {
  const received: Received[] = []
  const origin = await startHttpServer(async (request, response) => {
    const body = await text(request)
    received.push({ method: request.method, url: request.url, headers: request.headers, body })
    response.writeHead(201, { 'content-type': 'text/plain', 'x-service': 'yes' })
    response.end('from the service')
  })
  return { origin, received }
}

async function serve(options: ListenOptions, simulator: Simulator = createSimulator()) {
  const server = await listen(simulator, options)
  onTestFinished(() => server.close())
  return { ...server, simulator }
}

async function serveBefore(listener: RequestListener, options: ListenOptions = {}) {
  return serve({ ...options, forward: await startHttpServer(listener) })
}

test.each([{ stock: false }, { stock: true }, { lane: 'msw' as const }])(
  'a request outside the API goes to the service, and its response comes back: %o',
  async (options) => {
    const { origin, received } = await startService()
    const onForward = vi.fn()
    const { url, simulator } = await serve({ ...options, forward: origin, onForward })

    const response = await fetch(`${url}/api/users/@me/?a=1&a=2`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', cookie: 'a=1', 'x-mine': 'yes' },
      body: '{ "name": "Ann" }',
    })
    const own = await fetch(`${url}/api/projects/`, { headers: { authorization: `Bearer ${key}` } })

    expect([response.status, await response.text()]).toEqual([201, 'from the service'])
    expect(response.headers.get('x-service')).toBe('yes')
    expect(own.status).toBe(200)
    const host = new URL(url).host
    expect(received).toMatchObject([
      {
        method: 'PUT',
        url: '/api/users/@me/?a=1&a=2',
        headers: {
          host: new URL(origin).host,
          via: `1.1 ${host}`,
          'x-forwarded-host': host,
          cookie: 'a=1',
          'x-mine': 'yes',
        },
        body: '{ "name": "Ann" }',
      },
    ])
    expect(simulator.journal.find().map(({ path }) => path)).toEqual(['/api/projects/'])
    expect(onForward.mock.calls).toEqual([
      ['PUT', '/api/users/@me/?a=1&a=2', 201, expect.any(Number)],
    ])
  },
)

test.each([
  ['a misspelt path of the API', '/api/projects/1/anotations/'],
  ['an endpoint that the profile turns off', '/api/projects/1/annotations.json'],
  ['an unknown sandbox', '/__sandbox/none/api/users/@me/'],
  ['the control API', '/__admin/nothing'],
])('%s is not forwarded', async (_, path) => {
  const { origin, received } = await startService()
  const { url } = await serve({ forward: origin })

  const response = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } })

  expect(response.status).toBe(404)
  expect(received).toEqual([])
})

test('HEAD, the root and the path behind a sandbox are forwarded', async () => {
  const { origin, received } = await startService()
  const { url, simulator } = await serve({ forward: origin })
  const { id } = simulator.sandboxes.create()

  const head = await fetch(url, { method: 'HEAD', headers: { accept: 'text/html' } })
  await fetch(`${url}/__sandbox/${id}/api/users/@me/`)

  expect(head.status).toBe(201)
  expect(received.map(({ method, url: path }) => `${method} ${path}`)).toEqual([
    'HEAD /',
    'GET /api/users/@me/',
  ])
})

test('a request that a handler passes through is forwarded', async () => {
  const { origin, received } = await startService()
  const handlers = [
    mock.post('*/api/mine', () => passthrough()),
    mock.get('*/api/other', () => HttpResponse.text('mine')),
  ]
  const { url } = await serve({ forward: origin, handlers })

  await fetch(`${url}/api/mine`, { method: 'POST', body: 'text' })
  await fetch(`${url}/api/other`)

  expect(received).toMatchObject([{ url: '/api/mine', body: 'text' }])
})

test('a body that middleware has parsed is forwarded', async () => {
  const { origin, received } = await startService()
  const { url } = await serve({ forward: origin, use: [express.json()] })
  const headers = { 'content-type': 'application/json' }

  await fetch(`${url}/users`, { method: 'POST', headers, body: '{ "name": "Ann" }' })

  expect(received).toMatchObject([{ body: '{"name":"Ann"}', headers: { 'content-length': '14' } }])
})

const sent = [
  ['in the header', '/users', { authorization: `Bearer ${key}` }, undefined],
  ['for a proxy', '/users', { 'proxy-authorization': `Bearer ${key}` }, undefined],
  ['in the query', `/users?a=%20b&personal_api_key=${key}`, {}, undefined],
  [
    'in JSON',
    '/users',
    { 'content-type': 'application/json' },
    `{"a":1,"personal_api_key":"${key}","list":[{"personal_api_key":"${key}"}]}`,
  ],
  [
    'in a form',
    '/users',
    { 'content-type': 'application/x-www-form-urlencoded' },
    `a=%20b&personal%5Fapi_key=x&personal_api_key=${key}`,
  ],
] as const

test.each(sent)('a key %s is not forwarded', async (_, path, headers, body) => {
  const { origin, received } = await startService()
  const { url } = await serve({ forward: origin })

  const init = body === undefined ? {} : { method: 'POST', body }
  await fetch(url + path, { headers: { ...headers, 'x-mine': 'yes' }, ...init })

  expect(received).toMatchObject([{ headers: { 'x-mine': 'yes' } }])
  expect(JSON.stringify(received)).not.toMatch(/phx_all|personal|uthorization/)
  const [{ url: target, body: rest } = { url: '', body: '' }] = received
  expect(path.includes('?') ? target : '/users?a=%20b').toBe('/users?a=%20b')
  if (body?.startsWith('a=')) expect(rest).toBe('a=%20b')
  if (body?.startsWith('{')) expect(rest).toBe('{"a":1,"list":[{}]}')
})

test.each(sent)('forwardKeys sends a key %s', async (_, path, headers, body) => {
  const { origin, received } = await startService()
  const { url } = await serve({ forward: origin, forwardKeys: true })

  const init = body === undefined ? {} : { method: 'POST', body }
  await fetch(url + path, { headers, ...init })

  expect(received).toMatchObject([{ url: path, headers, body: body ?? '' }])
})

test('a key that cannot be removed is refused', async () => {
  const { origin, received } = await startService()
  const { url } = await serve({ forward: origin, bodyLimit: 1000 })
  const form = new FormData()
  form.set('personal_api_key', key)
  const headers = { 'content-type': 'application/json' }
  const post = (body: BodyInit, init = {}) =>
    fetch(`${url}/users`, { method: 'POST', body, ...init })

  const multipart = await post(form)
  const broken = await post(`{"personal_api_key":"${key}"`, { headers })
  const large = await post(JSON.stringify('x'.repeat(1000)), { headers })

  expect(await multipart.json()).toMatchObject({
    detail: expect.stringContaining('--forward-keys'),
  })
  expect([multipart.status, broken.status, large.status]).toEqual([403, 403, 413])
  expect(received).toEqual([])
})

const json = 'application/json'
const form = 'application/x-www-form-urlencoded'

test.each([
  [json, String.raw`{"personal\u005fapi_key": "phx_all", "a": "\\"}`, String.raw`{ "a": "\\"}`],
  [json, '{"a": 1.0, "PERSONAL_API_KEY": "phx_all"}', '{"a": 1.0}'],
  [
    json,
    '{"n":12345678901234567890,"personal_api_key":"a\\"}","personal_api_key":null}',
    '{"n":12345678901234567890}',
  ],
  [json, '[{"personal_api_key":"phx_all","x":",}é"}]', '[{"x":",}é"}]'],
  [json, '{"field": "personal_api_key", "x": 1.0}', '{"field": "personal_api_key", "x": 1.0}'],
  [json, '["personal_api_key" , 1e2]', '["personal_api_key" , 1e2]'],
  [form, 'a=é&personal%5Fapi_key=phx_all', 'a=é'],
  [form, 'Personal%5fapi%5Fkey%5B%5D=phx_all&b=1', 'b=1'],
])('only the key is cut out of a body of %s: %s', async (type, body, rest) => {
  const { origin, received } = await startService()
  const { url } = await serve({ forward: origin })

  await fetch(`${url}/users`, { method: 'POST', headers: { 'content-type': type }, body })

  const length = String(Buffer.byteLength(rest))
  expect(received).toMatchObject([{ body: rest, headers: { 'content-length': length } }])
})

test('a body that is no text passes without a change if it has no key', async () => {
  const bytes: number[] = []
  const { url } = await serveBefore((request, response) => {
    request.on('data', (chunk: Buffer) => bytes.push(...chunk))
    request.on('end', () => response.end())
  })
  const headers = { 'content-type': form }

  await fetch(`${url}/users`, { method: 'POST', headers, body: new Uint8Array([0xff, 0x3d, 0x80]) })

  expect(bytes).toEqual([0xff, 0x3d, 0x80])
})

test.each([
  ['within an object', json, '{"personal_api_key": {"value": "phx_all"}}'],
  ['within a list', json, '{"personal_api_key": ["phx_all"], "a": 1}'],
  ['in UTF-16', json, Buffer.from('{"personal_api_key": "phx_all"}', 'utf16le')],
  [
    'with an encoded name',
    'multipart/form-data; boundary=x',
    "--x\r\ncontent-disposition: form-data; name*=UTF-8''personal%5Fapi_key\r\n\r\nphx_all\r\n--x--",
  ],
])('a key %s is refused', async (_, type, body) => {
  const { origin, received } = await startService()
  const { url } = await serve({ forward: origin })
  const headers = { 'content-type': type }

  const response = await fetch(`${url}/users`, { method: 'POST', headers, body })

  expect([response.status, received]).toEqual([403, []])
})

test('a response streams: its first chunk arrives before its end', async () => {
  let end = () => {}
  const { url } = await serveBefore((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: 1\n\n')
    end = () => response.end('data: 2\n\n')
  })

  const response = await fetch(`${url}/events`)
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const first = await reader.read()
  end()
  const second = await reader.read()

  expect([first, second].map(({ value }) => String(Buffer.from(value ?? [])))).toEqual([
    'data: 1\n\n',
    'data: 2\n\n',
  ])
})

test('a request streams: its first chunk arrives before its end, and 50 MiB pass', async () => {
  let length = 0
  let onFirst = () => {}
  const first = new Promise<void>((resolve) => {
    onFirst = resolve
  })
  const { url } = await serveBefore((request, response) => {
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      onFirst()
    })
    request.on('end', () => response.end(String(length)))
  })
  const upload = http.request(`${url}/files`, { method: 'POST' })
  const response = new Promise<IncomingMessage>((resolve) => upload.once('response', resolve))

  upload.write('first')
  await first
  upload.end(Buffer.alloc(50 * 1024 * 1024))

  expect(await text(await response)).toBe(String(50 * 1024 * 1024 + 5))
})

test('the service learns that a client aborted', async () => {
  const aborted = vi.fn()
  const { url } = await serveBefore((_request, response) => {
    response.write('first')
    response.once('close', aborted)
  })
  const controller = new AbortController()

  const response = await fetch(`${url}/events`, { signal: controller.signal })
  controller.abort()

  await expect(response.text()).rejects.toThrow()
  await vi.waitFor(() => expect(aborted).toHaveBeenCalled())
})

test('the client learns that the service broke its response', async () => {
  const onForward = vi.fn()
  const cut: RequestListener = (_request, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('first', () => response.destroy())
  }
  const { url } = await serveBefore(cut, { onForward })

  await expect(fetch(`${url}/events`).then((response) => response.text())).rejects.toThrow()
  await vi.waitFor(() =>
    expect(onForward.mock.calls).toMatchObject([['GET', '/events', 0, expect.any(Number)]]),
  )
})

test('a service that is down is a 502 in the envelope of the API, which says what to do', async () => {
  const forward = 'http://127.0.0.1:9'
  const { url } = await serve({ forward })

  const response = await fetch(`${url}/users`, { method: 'POST', body: 'text' })

  expect([response.status, await response.json()]).toEqual([
    502,
    {
      type: 'server_error',
      code: 'bad_gateway',
      detail: `Failed to reach ${forward}: expected a running server, got no listening server (ECONNREFUSED). Start it, or forward to another service.`,
      attr: null,
    },
  ])
})

test('a service that breaks the connection is a 502, too', async () => {
  const { url } = await serveBefore((request) => request.socket.destroy())

  const response = await fetch(`${url}/users`)

  expect(response.status).toBe(502)
  expect(await response.text()).toContain('got a broken connection (ECONNRESET)')
})

test('redirects go to the client: those within the service stay here, and no key reaches another host', async () => {
  const other = await startService()
  const { url } = await serveBefore(
    ({ headers, url: path }, response) => {
      const location = path === '/out' ? other.origin : `http://${headers.host}/users?b`
      response.writeHead(307, { location }).end()
    },
    { forwardKeys: true },
  )
  const ask = async (path: string) => {
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetch(url + path, { headers, redirect: 'manual' })
    return [response.status, response.headers.get('location')]
  }

  expect(await ask('/out')).toEqual([307, other.origin])
  expect(await ask('/in')).toEqual([307, `${url}/users?b`])
  expect(other.received).toEqual([])
})

test('servers that forward to each other stop the loop', async () => {
  let back = ''
  const between = await startHttpServer((request, response) => {
    const { headers, url } = request
    http
      .get(back + url, { headers }, (inner) => {
        response.writeHead(inner.statusCode ?? 0)
        inner.pipe(response)
      })
      .on('error', () => response.destroy())
  })
  const { url } = await serve({ forward: between })
  back = url
  const response = await fetch(`${url}/users`)

  expect([response.status, await response.json()]).toMatchObject([
    508,
    {
      code: 'loop_detected',
      detail: `${between} sends requests back to this server. Forward to another service.`,
    },
  ])
})

test.each([
  ['of another site', { origin: 'https://evil.test' }],
  ['of another site, without an origin', { 'sec-fetch-site': 'cross-site' }],
  ['under a name that leads to this machine', { host: 'evil.test' }],
])('a page %s cannot reach the service', async (_, headers) => {
  const { origin, received } = await startService()
  const { url } = await serve({ forward: origin })

  const status = await new Promise((resolve) => {
    http.get(`${url}/users`, { headers }, (response) => resolve(response.resume().statusCode))
  })

  expect([status, received]).toEqual([403, []])
})

test('a page of this machine reaches the service, and any host does on a server that others reach', async () => {
  const { origin, received } = await startService()
  const { url } = await serve({ forward: origin })
  const exposed = await serve({ forward: origin, host: '0.0.0.0' })
  const get = (to: string, headers: Record<string, string>) =>
    new Promise((resolve) => {
      http.get(`${to}/users`, { headers }, (response) => resolve(response.resume().statusCode))
    })

  expect(await get(url, { origin: 'http://localhost:5173' })).toBe(201)
  expect(await get(exposed.url, { host: 'mock:4010', origin: 'http://mock:4010' })).toBe(201)
  expect(await get(exposed.url, { host: 'mock:4010', origin: 'http://evil.test' })).toBe(403)
  expect(received).toHaveLength(2)
})

test('an upgrade is forwarded as a request without it', async () => {
  const { origin, received } = await startService()
  const { url } = await serve({ forward: origin })
  const headers = { connection: 'Upgrade, HTTP2-Settings', upgrade: 'h2c', 'http2-settings': 'AA' }

  const status = await new Promise((resolve) => {
    http.get(`${url}/users`, { headers }, (response) => resolve(response.resume().statusCode))
  })

  expect(status).toBe(201)
  expect(Object.keys(received[0]?.headers ?? {})).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/upgrade|http2/)]),
  )
})

test.each(['service', 'ftp://a', 'http://a/b', 'http://a?b', 'http://me:secret@a', ''])(
  'a target that is no origin is refused: %j',
  async (forward) => {
    await expect(listen(createSimulator(), { forward })).rejects.toThrow(
      `Failed to forward requests: expected the origin of a service, such as http://127.0.0.1:8000, got ${JSON.stringify(forward)}.`,
    )
  },
)

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['127.0.0.1', 'localhost'],
  ['localhost', '127.0.0.1'],
  ['::1', '[::1]'],
  ['::1', 'localhost'],
  ['0.0.0.0', '127.0.0.1'],
  ['::', '[::1]'],
  ['fd00::1', '[fd00::1]'],
])('a server on %s refuses itself: %s', async (host, name) => {
  const forward = `http://${name}:4010`

  await expect(listen(createSimulator(), { host, port: 4010, forward })).rejects.toThrow(
    `Failed to forward requests: expected another server than this one, got "${forward}".`,
  )
})

test('a server on another address of this machine is another server', async () => {
  const { origin } = await startService()
  const { port } = new URL(origin)

  const { url } = await serve({ host: '127.0.0.2', port: Number(port), forward: origin })

  expect((await fetch(`${url}/users`)).status).toBe(201)
})

test('preflights and CORS headers of other paths are those of the service', async () => {
  const { origin, received } = await startService()
  const neighbours = { responses: { 'GET /api/flags/': { body: [] } } }
  const { url } = await serve({ forward: origin }, createSimulator({ neighbours }))
  const preflight = async (path: string, method = 'GET') => {
    const headers = {
      origin: 'http://localhost:5173',
      ...(method === 'OPTIONS' && { 'access-control-request-method': 'GET' }),
    }
    const response = await new Promise<IncomingMessage>((resolve) => {
      http.request(`${url}${path}`, { method, headers }, resolve).end()
    })
    response.resume()
    const names = ['access-control-allow-origin', 'access-control-expose-headers']
    return [response.statusCode, ...names.map((name) => response.headers[name])]
  }

  expect(await preflight('/users', 'OPTIONS')).toEqual([201, undefined, undefined])
  expect(await preflight('/users')).toEqual([201, undefined, undefined])
  expect((await preflight('/api/projects/', 'OPTIONS')).slice(0, 2)).toEqual([200, '*'])
  expect((await preflight('/api/flags/', 'OPTIONS')).slice(0, 2)).toEqual([200, '*'])
  expect((await preflight('/api/flags/')).slice(0, 2)).toEqual([200, '*'])
  expect(received.map(({ method }) => method)).toEqual(['OPTIONS', 'GET'])
})

test('a query and redirects stay within a sandbox', async () => {
  const paths: (string | undefined)[] = []
  const { url, simulator } = await serveBefore(({ headers, url: path }, response) => {
    paths.push(path)
    const start = path === '/absolute' ? `http://${headers.host}` : ''
    response.writeHead(307, { location: path === '/out' ? '//other.test/a' : `${start}/a` }).end()
  })
  const sandbox = `${url}/__sandbox/${simulator.sandboxes.create().id}`
  const locate = async (path: string) =>
    (await fetch(sandbox + path, { redirect: 'manual' })).headers.get('location')

  expect(await locate('?x=1')).toBe(`${new URL(sandbox).pathname}/a`)
  expect(await locate('/absolute')).toBe(`${sandbox}/a`)
  expect(await locate('/out')).toBe('//other.test/a')
  expect(paths).toEqual(['/?x=1', '/absolute', '/out'])
})

test('forwardHosts are forwarded besides this machine, and their own pages can use them', async () => {
  const { origin } = await startService()
  const { url } = await serve({ forward: origin, forwardHosts: ['app.example.com'] })
  const get = (headers: Record<string, string>) =>
    new Promise<string>((resolve) => {
      http.get(`${url}/users`, { headers }, async (response) => resolve(await text(response)))
    })
  const [own, other] = ['app.example.com', 'other.example.com']

  expect(await get({ host: own })).toBe('from the service')
  expect(await get({ host: `${own}:80`, origin: `http://${own}:80` })).toBe('from the service')
  expect(await get({ host: other })).toContain(
    `"The forwarded service requires the host localhost or 127.0.0.1, got ${other}."`,
  )
  expect(await get({ host: own, origin: `http://${other}` })).toContain(
    `"The forwarded service cannot be used by another site, got the origin http://${other}."`,
  )
})
