import { request } from 'node:http'
import { connect } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { startProxyBefore, startProxyTo, waitUntil } from '../../support/cli/proxy.ts'

/** What came over the wire, as text. */
function raw(url: string, lines: readonly string[]): Promise<string> {
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

test('method, path, headers and body reach the target, without those of the connection', async () => {
  const heard: unknown[] = []
  const { url, target } = await startProxyBefore((asked, answer) => {
    let body = ''
    asked.on('data', (chunk) => {
      body += chunk
    })
    asked.on('end', () => {
      heard.push({ method: asked.method, url: asked.url, headers: asked.headers, body })
      answer.end()
    })
  })

  await raw(url, [
    'DELETE /api/x/?a=%7B1&a=2 HTTP/1.1',
    'Host: elsewhere.test',
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

  expect(heard).toEqual([
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
])('the path %s reaches the target as it was sent', async (sent, expected) => {
  const heard: unknown[] = []
  const { url } = await startProxyBefore((asked, answer) => {
    heard.push(asked.url)
    answer.end()
  })

  await raw(url, [`GET ${sent} HTTP/1.1`, 'Host: a.test', 'Connection: close', '', ''])

  expect(heard).toEqual([expected])
})

test('a request about the whole server is handed on, and said to be left out', async () => {
  const { url, exchanges, lost } = await startProxyBefore(
    (asked, answer) => void answer.end(asked.url),
  )

  const answer = await raw(url, ['OPTIONS * HTTP/1.1', 'Host: a.test', 'Connection: close', '', ''])

  expect(answer).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*\*$/)
  expect(lost).toEqual(['OPTIONS * is left out: it asks about the server as a whole.'])
  expect(exchanges).toEqual([])
})

test('an answer comes back as it was: status, headers, compressed bytes', async () => {
  const bytes = gzipSync('{"content":"Launch"}')
  const { url, exchanges } = await startProxyBefore((_, answer) => {
    answer.sendDate = false
    answer.writeHead(418, 'Short And Stout', [
      ['Content-Type', 'application/json'],
      ['Content-Encoding', 'gzip'],
      ['Set-Cookie', 'a=1'],
      ['Set-Cookie', 'b=2'],
      ['Keep-Alive', 'timeout=1'],
    ] as never)
    answer.end(bytes)
  })

  const text = await raw(url, ['GET /api/x/ HTTP/1.1', 'Host: x', 'Connection: close', '', ''])

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
  await waitUntil(() => exchanges.length === 1)
  expect(exchanges).toMatchObject([
    { method: 'GET', answer: { status: 418, body: { text: '{"content":"Launch"}' } } },
  ])
})

test('links and redirects of the target lead to the proxy, and none is followed', async () => {
  const { url, target, exchanges } = await startProxyBefore((asked, answer) => {
    const here = `http://${asked.headers.host}`
    answer.setHeader('location', `${here}/api/there/?a=1`)
    answer.setHeader('content-type', 'application/json')
    answer.setHeader('content-encoding', 'br')
    answer.statusCode = 302
    const links = { next: `${here}/api/x/?offset=1`, escaped: '@', other: `${here}0/api/` }
    const text = JSON.stringify(links).replace('@', `${here}/a`.replaceAll('/', '\\/'))
    answer.end(brotliCompressSync(text))
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
  // What is recorded is what the target said.
  await waitUntil(() => exchanges.length > 0)
  expect(JSON.stringify(exchanges[0]?.answer.body)).toContain(`${target}/api/x/?offset=1`)
  expect(exchanges).toHaveLength(1)
})

test('HEAD, 204 and 304 have no body', async () => {
  const { url, exchanges } = await startProxyBefore((asked, answer) => {
    if (asked.method === 'HEAD')
      answer.writeHead(200, { 'content-length': 12, 'content-type': 'application/json' })
    else answer.writeHead(asked.url === '/204' ? 204 : 304)
    answer.end()
  })

  const head = await fetch(`${url}/x`, { method: 'HEAD' })
  expect([head.status, head.headers.get('content-length')]).toEqual([200, '12'])
  expect((await fetch(`${url}/204`)).status).toBe(204)
  expect((await fetch(`${url}/304`)).status).toBe(304)
  await waitUntil(() => exchanges.length === 3)
  expect(exchanges.map(({ answer: { status, body } }) => [status, body])).toEqual([
    [200, null],
    [204, null],
    [304, null],
  ])
})

test('a stream is handed on as it comes', async () => {
  let end = () => {}
  const { url, exchanges } = await startProxyBefore((_, answer) => {
    answer.writeHead(200, { 'content-type': 'text/event-stream' })
    answer.write('data: 1\n\n')
    end = () => answer.end('data: 2\n\n')
  })

  const reader = (await fetch(`${url}/events`)).body?.getReader()
  const first = await reader?.read()

  expect(new TextDecoder().decode(first?.value)).toBe('data: 1\n\n')
  expect(exchanges).toEqual([])
  end()
  await reader?.read()
  await waitUntil(() => exchanges.length === 1)
  expect(exchanges[0]?.answer.body).toEqual({ text: 'data: 1\n\ndata: 2\n\n' })
})

test('bytes that are no text are kept as bytes, and what is too large is only counted', async () => {
  const large = Buffer.alloc(9 * 1024 * 1024, ' ')
  const { url, exchanges } = await startProxyBefore((asked, answer) => {
    if (asked.url !== '/large') return void answer.end(Buffer.from([0, 255, 254]))
    answer.setHeader('content-type', 'application/json')
    return void answer.end(large)
  })

  await (await fetch(`${url}/image`)).arrayBuffer()
  const whole = await (await fetch(`${url}/large`)).arrayBuffer()

  expect(whole.byteLength).toBe(large.length)
  await waitUntil(() => exchanges.length === 2)
  expect(exchanges.map(({ answer }) => answer.body)).toEqual([
    { base64: 'AP/+' },
    { omitted: large.length },
  ])
})

test('a connection that the target breaks is broken to the client, before an answer and within it', async () => {
  const { url, exchanges } = await startProxyBefore((asked, answer) => {
    if (asked.url === '/before') return void asked.socket.destroy()
    answer.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 })
    answer.write('{"content":')
    return void setTimeout(() => asked.socket.destroy(), 20)
  })

  await expect(fetch(`${url}/before`)).rejects.toThrow('fetch failed')
  await expect(fetch(`${url}/within`).then((response) => response.text())).rejects.toThrow()

  await waitUntil(() => exchanges.length === 2)
  expect(exchanges.map(({ answer }) => answer)).toEqual([
    { status: 0, headers: [], body: null },
    { status: 0, headers: [], body: null },
  ])
})

test('a target that is down is told as a bad gateway, and the proxy lives on', async () => {
  const { url, target, exchanges, lost } = await startProxyTo('http://127.0.0.1:9')

  const answers = [await fetch(`${url}/api/x/`), await fetch(`${url}/api/x/`)]

  const detail = `Failed to reach ${target}: expected a running server, got no listening server (ECONNREFUSED). Check the address.`
  for (const response of answers) {
    expect(response.status).toBe(502)
    expect(await response.json()).toEqual({
      type: 'server_error',
      code: 'bad_gateway',
      detail,
      attr: null,
    })
  }
  expect(exchanges).toEqual([])
  expect(lost).toEqual([`GET /api/x/ is left out: ${detail}`, `GET /api/x/ is left out: ${detail}`])
})

test('a client that goes away ends the request to the target, and is told of', async () => {
  let [come, gone] = [0, 0]
  const { url, lost, exchanges } = await startProxyBefore((asked) => {
    come += 1
    asked.socket.on('close', () => {
      gone += 1
    })
  })
  const asked = request(`${url}/api/x/`)
  asked.on('error', () => {}).end()
  await waitUntil(() => come === 1)
  asked.destroy()

  await waitUntil(() => lost.length === 1 && gone === 1)

  expect([gone, exchanges]).toEqual([1, []])
  expect(lost).toEqual(['GET /api/x/ is left out: its client went away before it was answered.'])
})
