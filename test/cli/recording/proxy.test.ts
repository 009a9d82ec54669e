import { request } from 'node:http'
import { connect } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { startProxyBefore, startProxyTo } from '../../support/cli/proxy.ts'

/** Sends lines over a connection, and returns all that comes back. */
function sendRaw(url: string, lines: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname, () => socket.write(lines.join('\r\n')))
    let text = ''
    socket.setEncoding('latin1').on('data', (data) => {
      text += data
    })
    socket.on('close', () => resolve(text)).on('error', reject)
  })
}

test('the proxy forwards method, path, headers and body, without hop-by-hop headers', async () => {
  const received: unknown[] = []
  const { url, target } = await startProxyBefore((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      received.push({ method: request.method, url: request.url, headers: request.headers, body })
      response.end()
    })
  })

  await sendRaw(url, [
    'DELETE /api/x/?a=%7B1&a=2 HTTP/1.1',
    'Host: localhost',
    'Connection: close, X-Secret-Hop',
    'X-Secret-Hop: 1',
    'X-Own: kept',
    'Accept-Encoding: zstd, gzip;q=0.5',
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
      url: '/api/x/?a=%7B1&a=2',
      headers: {
        host: target.slice('http://'.length),
        'x-own': 'kept',
        'accept-encoding': 'gzip;q=0.5',
        'transfer-encoding': 'chunked',
        connection: 'keep-alive',
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
  const { url } = await startProxyBefore((request, response) => {
    received.push(request.url)
    response.end()
  })

  await sendRaw(url, [`GET ${sent} HTTP/1.1`, 'Host: localhost', 'Connection: close', '', ''])

  expect(received).toEqual([expected])
})

test('the proxy forwards a request about the whole server, and does not record it', async () => {
  const { url, exchanges, skipped } = await startProxyBefore(
    (request, response) => void response.end(request.url),
  )

  const text = await sendRaw(url, [
    'OPTIONS * HTTP/1.1',
    'Host: localhost',
    'Connection: close',
    '',
    '',
  ])

  expect(text).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*\*$/)
  expect(skipped).toEqual(['OPTIONS *: it concerns the whole server.'])
  expect(exchanges).toEqual([])
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

  const text = await sendRaw(url, [
    'GET /api/x/ HTTP/1.1',
    'Host: localhost',
    'Connection: close',
    '',
    '',
  ])

  const [head = ''] = text.split('\r\n\r\n')
  expect(head.split('\r\n')).toEqual([
    'HTTP/1.1 418 Short And Stout',
    'Content-Type: application/json',
    'Content-Encoding: gzip',
    'Set-Cookie: a=1',
    'Set-Cookie: b=2',
    'Connection: close',
    'Transfer-Encoding: chunked',
  ])
  expect(text).toContain(bytes.toString('latin1'))
  await expect.poll(() => exchanges).toHaveLength(1)
  expect(exchanges).toMatchObject([
    { method: 'GET', response: { status: 418, body: { text: '{"content":"Launch"}' } } },
  ])
})

test('links and redirects to the target lead to the proxy, which does not follow them', async () => {
  const { url, target, exchanges } = await startProxyBefore((request, response) => {
    const origin = `http://${request.headers.host}`
    response.setHeader('location', `${origin}/api/there/?a=1`)
    response.setHeader('content-type', 'application/json')
    response.setHeader('content-encoding', 'br')
    response.statusCode = 302
    const links = { next: `${origin}/api/x/?offset=1`, escaped: '@', other: `${origin}0/api/` }
    const text = JSON.stringify(links).replace('@', `${origin}/a`.replaceAll('/', '\\/'))
    response.end(brotliCompressSync(text))
  })

  const response = await fetch(`${url}/api/x/`, { redirect: 'manual' })

  expect(response.status).toBe(302)
  expect(response.headers.get('location')).toBe(`${url}/api/there/?a=1`)
  expect(response.headers.get('content-encoding')).toBeNull()
  expect(await response.json()).toEqual({
    next: `${url}/api/x/?offset=1`,
    escaped: `${url}/a`,
    other: `${target}0/api/`,
  })
  // The recording has the response of the target.
  await expect.poll(() => exchanges).toHaveLength(1)
  expect(JSON.stringify(exchanges[0]?.response.body)).toContain(`${target}/api/x/?offset=1`)
})

test('responses to HEAD, and with 204 or 304, have no body', async () => {
  const { url, exchanges } = await startProxyBefore((request, response) => {
    if (request.method === 'HEAD')
      response.writeHead(200, { 'content-length': 12, 'content-type': 'application/json' })
    else response.writeHead(request.url === '/204' ? 204 : 304)
    response.end()
  })

  const head = await fetch(`${url}/x`, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length')]).toEqual([200, '12'])
  expect((await fetch(`${url}/204`)).status).toBe(204)
  expect((await fetch(`${url}/304`)).status).toBe(304)
  await expect.poll(() => exchanges).toHaveLength(3)
  expect(exchanges.map(({ response: { status, body } }) => [status, body])).toEqual([
    [200, null],
    [204, null],
    [304, null],
  ])
})

test('the proxy forwards a stream as it arrives', async () => {
  let end = () => {}
  const { url, exchanges } = await startProxyBefore((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: 1\n\n')
    end = () => response.end('data: 2\n\n')
  })

  const reader = (await fetch(`${url}/events`)).body?.getReader()
  const first = await reader?.read()

  expect(new TextDecoder().decode(first?.value)).toBe('data: 1\n\n')
  expect(exchanges).toEqual([])
  end()
  await reader?.read()
  await expect.poll(() => exchanges).toHaveLength(1)
  expect(exchanges[0]?.response.body).toEqual({ text: 'data: 1\n\ndata: 2\n\n' })
})

test('the proxy records binary bodies as base64, and only counts bodies that are too large', async () => {
  const large = Buffer.alloc(9 * 1024 * 1024, ' ')
  const { url, exchanges } = await startProxyBefore((request, response) => {
    if (request.url !== '/large') return void response.end(Buffer.from([0, 255, 254]))
    response.setHeader('content-type', 'application/json')
    return void response.end(large)
  })

  await (await fetch(`${url}/image`)).arrayBuffer()
  const body = await (await fetch(`${url}/large`)).arrayBuffer()

  expect(body.byteLength).toBe(large.length)
  await expect.poll(() => exchanges).toHaveLength(2)
  expect(exchanges.map(({ response }) => response.body)).toEqual([
    { base64: 'AP/+' },
    { omitted: large.length },
  ])
})

test('if the target breaks the connection, so does the proxy, before and within a response', async () => {
  let breakOff = (): void => {}
  const { url, exchanges } = await startProxyBefore(({ url: path, socket }, response) => {
    if (path === '/before') return void socket.destroy()
    const type = path === '/json' ? 'application/json' : 'text/plain'
    response.writeHead(200, { 'content-type': type, 'content-length': 100 })
    breakOff = () => socket.destroy()
    // The proxy holds JSON back, so its client has nothing to wait for.
    return void response.write('{"content":', () => path === '/json' && breakOff())
  })

  await expect(fetch(`${url}/before`)).rejects.toThrow('fetch failed')
  await expect(fetch(`${url}/json`)).rejects.toThrow('fetch failed')
  const text = await fetch(`${url}/text`)
  breakOff()
  await expect(text.text()).rejects.toThrow()

  const broken = { status: 0, headers: [], body: null }
  await expect
    .poll(() => exchanges.map(({ response }) => response))
    .toEqual([broken, broken, broken])
})

test('if the target does not respond, the proxy returns 502 and keeps running', async () => {
  const { url, target, exchanges, skipped } = await startProxyTo('http://127.0.0.1:9')

  const responses = [await fetch(`${url}/api/x/`), await fetch(`${url}/api/x/`)]

  const detail = `Failed to reach ${target}: expected a running server, got no response (ECONNREFUSED). Check the address.`
  for (const response of responses) {
    expect(response.status).toBe(502)
    expect(await response.json()).toEqual({
      type: 'server_error',
      code: 'bad_gateway',
      detail,
      attr: null,
    })
  }
  expect(exchanges).toEqual([])
  expect(skipped).toEqual([`GET /api/x/: ${detail}`, `GET /api/x/: ${detail}`])
})

test('if the client disconnects, the proxy ends the request to the target and does not record it', async () => {
  let [opened, closed] = [0, 0]
  const { url, skipped, exchanges } = await startProxyBefore(({ socket }) => {
    opened += 1
    socket.on('close', () => {
      closed += 1
    })
  })
  const client = request(`${url}/api/x/`)
  client.on('error', () => {}).end()
  await expect.poll(() => opened).toBe(1)

  client.destroy()

  await expect.poll(() => [skipped.length, closed]).toEqual([1, 1])
  expect(exchanges).toEqual([])
  expect(skipped).toEqual(['GET /api/x/: the client disconnected before the end of the response.'])
})

test('the proxy reports an exchange before it closes', async () => {
  const { url, exchanges, close } = await startProxyBefore((_, response) => void response.end('{}'))
  await (await fetch(`${url}/api/projects/`)).text()

  await close()

  expect(exchanges.map(({ method }) => method)).toEqual(['GET'])
})
