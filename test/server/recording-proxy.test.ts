import { type RequestListener, request } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import type { Exchange } from '../../src/index.ts'
import { startProxy } from '../../src/server/record-service.ts'
import { startHttpServer } from '../support/http-server.ts'
import { sendRawRequest as send } from './raw-request.ts'

const path = '/api/projects/'

/** Starts a proxy in front of a target. @returns also what it recorded, and the requests that it did not record */
async function startProxyTo(target: string) {
  const exchanges: Exchange[] = []
  const skipped: string[] = []
  const proxy = await startProxy({
    target,
    port: 0,
    onExchange: (exchange) => exchanges.push(exchange),
    onOther() {},
    onSkipped: ({ method, url, reason }) =>
      skipped.push(`${method} ${url.slice(target.length)}: ${reason}`),
  })
  onTestFinished(() => proxy.close())
  return { url: proxy.url, target, exchanges, skipped }
}

const startProxyBefore = async (listener: RequestListener) =>
  startProxyTo(await startHttpServer(listener))

/** Sends lines over a connection, and returns all that comes back. */
function sendRaw(url: string, lines: readonly string[]): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname).setEncoding('latin1')
  socket.write(lines.join('\r\n'))
  return text(socket)
}

test('the proxy forwards method, path, headers and body, without hop-by-hop headers', async () => {
  const received: unknown[] = []
  const { url, target } = await startProxyBefore(async (request, response) => {
    const { method, url, headers } = request
    received.push({ method, url, headers, body: await text(request) })
    response.end()
  })

  await sendRaw(url, [
    'DELETE /api/projects/?a=%7B1&a=2 HTTP/1.1',
    'Host: localhost',
    'Connection: close, X-Secret-Hop',
    'X-Secret-Hop: 1',
    'TE: trailers',
    'HTTP2-Settings: AA',
    'X-Own: kept',
    'Accept-Encoding: zstd, GZIP;q=0.5',
    'Proxy-Authorization: Basic eA==',
    'Transfer-Encoding: chunked',
    '',
    '5',
    'hello',
    '0',
    '',
    '',
  ])

  expect(received).toEqual([
    {
      method: 'DELETE',
      url: '/api/projects/?a=%7B1&a=2',
      headers: {
        host: target.slice('http://'.length),
        'x-own': 'kept',
        'accept-encoding': 'identity',
        'transfer-encoding': 'chunked',
        connection: 'close',
      },
      body: 'hello',
    },
  ])
})

test.each([
  ['/api/x/../y//%7e/?a=b%20c', '/api/x/../y//%7e/?a=b%20c'],
  ['http://elsewhere.test/api/x/', '/api/x/'],
  ['http://elsewhere.test?a=1', '/?a=1'],
  ['*x', '/*x'],
])('the proxy forwards the path %s as it was sent', async (sent, expected) => {
  const received: unknown[] = []
  const target = await startHttpServer((request, response) => {
    received.push(request.url)
    response.end()
  })
  const { url } = await startProxyTo(`${target}/base`)

  await send(url, 'GET', sent, {})

  expect(received).toEqual([`/base${expected}`])
})

test('the proxy returns a response unchanged: status, headers, compressed bytes', async () => {
  const bytes = gzipSync('{"content":"Launch"}')
  const { url, exchanges } = await startProxyBefore((_, response) => {
    response.sendDate = false
    response.writeHead(418, 'Short And Stout', [
      ['Content-Type', 'application/json'],
      ['Content-Encoding', 'gzip'],
      ['Set-Cookie', 'a=1'],
      ['Set-Cookie', 'b=2'],
      ['Keep-Alive', 'timeout=1'],
    ] as never)
    response.end(bytes)
  })

  const lines = [`GET ${path} HTTP/1.1`, 'Host: localhost', 'Connection: close', '', '']
  const all = await sendRaw(url, lines)

  const [head = ''] = all.split('\r\n\r\n')
  expect(head.split('\r\n')).toEqual([
    'HTTP/1.1 418 Short And Stout',
    'Content-Type: application/json',
    'Content-Encoding: gzip',
    'Set-Cookie: a=1',
    'Set-Cookie: b=2',
    'Connection: close',
    'Transfer-Encoding: chunked',
  ])
  expect(all).toContain(bytes.toString('latin1'))
  await expect.poll(() => exchanges).toHaveLength(1)
  expect(exchanges).toMatchObject([
    { method: 'GET', response: { status: 418, body: { text: '{"content":"Launch"}' } } },
  ])
})

test.each([
  ['br', brotliCompressSync],
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  // Without the header of zlib, as some servers send it.
  ['deflate', deflateRawSync],
  ['Deflate, X-Gzip', (text: string) => gzipSync(deflateSync(text))],
] as const)(
  'links and redirects of a target that sends %s lead to the proxy, which does not follow them',
  async (encoding, compress) => {
    const { url, target, exchanges } = await startProxyBefore((request, response) => {
      const origin = `http://${request.headers.host}`
      response.setHeader('Location', `${origin}/api/there/?a=1`)
      response.setHeader('Link', `<${origin}/api/next/>; rel="next"`)
      response.setHeader('Content-Location', `${origin}/api/here/`)
      response.setHeader('content-type', 'Application/Problem+JSON')
      response.setHeader('content-encoding', encoding)
      response.setHeader('etag', '"of the other body"')
      response.statusCode = 302
      const links = {
        next: `${origin}/api/projects/?offset=1`,
        escaped: '@',
        other: `${origin}0/api/`,
        content: 'Über 🦔',
      }
      const text = JSON.stringify(links).replace('@', `${origin}/a`.replaceAll('/', '\\/'))
      response.end(compress(text))
    })

    const response = await fetch(url + path, { redirect: 'manual' })

    expect(response.status).toBe(302)
    const { headers } = response
    expect(['location', 'link', 'content-location'].map((name) => headers.get(name))).toEqual([
      `${url}/api/there/?a=1`,
      `<${url}/api/next/>; rel="next"`,
      `${url}/api/here/`,
    ])
    expect([headers.get('content-encoding'), headers.get('etag')]).toEqual([null, null])
    expect(await response.json()).toEqual({
      next: `${url}/api/projects/?offset=1`,
      escaped: `${url}/a`,
      other: `${target}0/api/`,
      content: 'Über 🦔',
    })
    // The recording has the response of the target.
    await expect.poll(() => exchanges).toHaveLength(1)
    expect(JSON.stringify(exchanges[0]?.response.body)).toContain(
      `${target}/api/projects/?offset=1`,
    )
  },
)

test('responses to HEAD, and with 204 or 304, have no body', async () => {
  const { url, exchanges } = await startProxyBefore((request, response) => {
    if (request.method === 'HEAD')
      response.writeHead(200, { 'content-length': 12, 'content-type': 'application/json' })
    else response.writeHead(request.url === '/api/projects/1/annotations/204/' ? 204 : 304)
    response.end()
  })

  const head = await fetch(url + path, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length')]).toEqual([200, '12'])
  expect((await fetch(`${url}/api/projects/1/annotations/204/`)).status).toBe(204)
  expect((await fetch(`${url}/api/projects/1/annotations/304/`)).status).toBe(304)
  await expect.poll(() => exchanges).toHaveLength(3)
  expect(exchanges.map(({ response: { status, body } }) => [status, body])).toEqual([
    [200, null],
    [204, null],
    [304, null],
  ])
})

test('if the target does not respond, the proxy returns 502 and keeps running', async () => {
  const { url, target, exchanges, skipped } = await startProxyTo('http://127.0.0.1:9')

  const responses = [await fetch(url + path), await fetch(url + path)]

  const detail = `Failed to reach ${target}: expected a running server, got no response (ECONNREFUSED). Check the address.`
  expect(responses.map(({ status }) => status)).toEqual([502, 502])
  expect(await responses[0]?.json()).toMatchObject({ code: 'bad_gateway', detail })
  expect(exchanges).toEqual([])
  expect(skipped).toEqual([`GET ${path}: ${detail}`, `GET ${path}: ${detail}`])
})

test('if the client disconnects, the proxy ends the request to the target and does not record it', async () => {
  let [opened, closed] = [0, 0]
  const { url, skipped, exchanges } = await startProxyBefore(({ socket }) => {
    opened += 1
    socket.on('close', () => {
      closed += 1
    })
  })
  const client = request(url + path)
  client.on('error', () => {}).end()
  await expect.poll(() => opened).toBe(1)

  client.destroy()

  await expect.poll(() => [skipped.length, closed]).toEqual([1, 1])
  expect(exchanges).toEqual([])
  expect(skipped).toEqual([`GET ${path}: the client disconnected before the end of the response.`])
})

test.each([
  ['application/json; charset=iso-8859-1', { text: '{"content":"Café"}' }],
  ['application/json', { text: '{"content":"Café"}' }],
  ['application/json; charset=unknown', { base64: 'eyJjb250ZW50IjoiQ2Fm6SJ9' }],
  ['application/octet-stream', { base64: 'eyJjb250ZW50IjoiQ2Fm6SJ9' }],
])('a body in another charset than UTF-8 is a text if its type says so: %s', async (type, body) => {
  const { url, exchanges } = await startProxyBefore((_, response) => {
    response.writeHead(200, { 'content-type': type })
    response.end(Buffer.from('{"content":"Café"}', 'latin1'))
  })

  await (await fetch(url + path)).arrayBuffer()

  expect(exchanges.map(({ response }) => response.body)).toEqual([body])
})

test('if the target breaks the connection, before or within a response, so does the proxy', async () => {
  const { url, exchanges } = await startProxyBefore(({ url: target, socket }, response) => {
    if (target === '/api/projects/1/annotations/1/') return void socket.destroy()
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 })
    return void response.write('{"content":', () => socket.destroy())
  })

  await expect(fetch(`${url}/api/projects/1/annotations/1/`)).rejects.toThrow('fetch failed')
  await expect(fetch(`${url}/api/projects/1/annotations/2/`)).rejects.toThrow('fetch failed')

  const broken = { status: 0, headers: [], body: null }
  expect(exchanges.map(({ response }) => response)).toEqual([broken, broken])
})

test('a target that closes a connection after a response gets the next request on another one', async () => {
  const used = new Set<object>()
  const { url } = await startProxyBefore(({ socket }, response) => {
    if (used.has(socket)) socket.destroy()
    else response.end('{}')
    used.add(socket)
  })

  const first = await send(url, 'GET', '/api/projects/', {})
  const second = await send(url, 'GET', '/api/projects/', {})

  expect([first.status, second.status]).toEqual([200, 200])
})

test('if recording a request fails, it is skipped, and the client gets its response', async () => {
  const skipped: unknown[] = []
  const target = await startHttpServer((_, response) => void response.end('ok'))
  const proxy = await startProxy({
    ...{ target, port: 0, onOther() {} },
    onExchange() {
      throw new SyntaxError('phx_secret')
    },
    onSkipped: (request) => skipped.push(request),
  })
  onTestFinished(() => proxy.close())

  const responses = [path, `${path}1/annotations/?api_key=phx_secret`].map((path) =>
    send(proxy.url, 'GET', path, {}),
  )

  expect((await Promise.all(responses)).map(({ text }) => text)).toEqual(['ok', 'ok'])
  const reason = 'recording it failed (SyntaxError). Report this, with the request.'
  expect(skipped).toEqual([
    { method: 'GET', url: `${target}/api/projects`, reason, isFailure: true },
    {
      method: 'GET',
      url: `${target}/api/projects/:project_id/annotations`,
      reason,
      isFailure: true,
    },
  ])
})

test.each([
  ['a name that leads to this machine', { host: 'ada:hunter2@evil.test' }],
  ['a name that begins like this machine', { host: 'localhost.evil.test' }],
  ['another site', { origin: 'https://ada:hunter2@evil.test' }],
  ['a frame without an origin', { origin: 'null' }],
  ['an image of another site', { 'sec-fetch-site': 'cross-site' }],
  ['a page that says nothing known of its site', { 'sec-fetch-site': 'x' }],
])('a request from %s is refused, and neither forwarded nor recorded', async (_, headers) => {
  let received = 0
  const { url, exchanges, skipped } = await startProxyBefore((_request, response) => {
    received += 1
    response.end()
  })

  const { status, text } = await send(url, 'GET', path, headers as Record<string, string>)

  expect([status, text]).toEqual([403, expect.stringMatching(/"permission_denied".*"the proxy /)])
  expect([received, exchanges]).toEqual([0, []])
  expect(skipped).toEqual([expect.stringMatching(/^GET \/api\/projects\/: the proxy [^@]*$/)])
})

test('clients and pages of this machine can use the proxy by its address', async () => {
  const { url, target, exchanges } = await startProxyBefore(
    // No JSON: its links stay.
    ({ headers }, response) => void response.end(`at http://${headers.host}/`),
  )
  const { host, port } = new URL(url)

  const responses = await Promise.all([
    send(url, 'GET', path, { host: `localhost:${port}` }),
    send(url, 'GET', path, { origin: `http://${host}`, 'sec-fetch-site': 'same-origin' }),
    send(url, 'GET', path, { origin: 'http://localhost:5173', 'sec-fetch-site': 'cross-site' }),
    send(url, 'GET', path, { 'sec-fetch-site': 'same-site' }),
    send(url, 'GET', path, { host: new URL(target).host }),
    send(url, 'GET', `http://api.example.com${path}`, { host: 'api.example.com' }),
  ])

  expect(responses.map(({ text }) => text)).toEqual(Array(6).fill(`at ${target}/`))
  expect(exchanges).toHaveLength(6)
})

test.each([
  [0, 'text'],
  [1, 'omitted'],
])('a body of 8 MiB and %d bytes passes in both directions; recorded: %s', async (more, kind) => {
  const long = 'x'.repeat(8 * 2 ** 20 + more)
  const proxy = await startProxyBefore((request, response) => void request.pipe(response))

  const { text } = await send(proxy.url, 'POST', path, {}, long)

  expect(text === long).toBe(true)
  const [{ request, response }] = proxy.exchanges as [Exchange]
  const [sent, received] = [request.body, response.body].map((body) => Object.entries(body ?? {}))
  expect(sent).toEqual([[kind, kind === 'text' ? long : long.length]])
  expect(received).toEqual([[kind, kind === 'text' ? long : expect.any(Number)]])
})
