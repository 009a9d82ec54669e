import http, { type IncomingMessage, type RequestListener } from 'node:http'
import { text } from 'node:stream/consumers'
import express from 'express'
import { HttpResponse, http as mock, passthrough } from 'msw'
import { expect, test, vi } from 'vitest'
import { createDeferred } from '../../support/deferred.ts'
import { serve, serveBefore, startService } from '../../support/forwarding.ts'
import { startRawServer } from '../../support/http-server.ts'

const key = 'phx_all'

test('a request outside the API goes to the service, and its response comes back', async () => {
  const { origin, received } = await startService()
  const onForward = vi.fn()
  const { url, simulator } = await serve({ forward: origin, onForward })

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
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-proto': 'http',
        cookie: 'a=1',
        'x-mine': 'yes',
      },
      body: '{ "name": "Ann" }',
    },
  ])
  expect(simulator.journal.find().map(({ path }) => path)).toEqual(['/api/projects/'])
  expect(onForward.mock.calls).toEqual([
    [
      { method: 'PUT', url: '/api/users/@me/?a=1&a=2', status: 201, ms: expect.any(Number) },
      undefined,
    ],
  ])
})

test.each([
  ['a format that the API does not have', '/api/projects/1/annotations.xml'],
  ['an unknown sandbox', '/__sandbox/none/api/users/@me/'],
  ['the admin API', '/__admin/nothing'],
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
  await fetch(`${url}/__sandbox/${id}?x=1`)

  expect(head.status).toBe(201)
  expect(received.map(({ method, url: path }) => `${method} ${path}`)).toEqual([
    'HEAD /',
    'GET /api/users/@me/',
    'GET /?x=1',
  ])
})

test('a request that a handler passes through is forwarded', async () => {
  const { origin, received } = await startService()
  const handlers = [
    mock.post('*/api/mine', () => passthrough()),
    mock.get('*/api/other', () => HttpResponse.text('mine')),
    mock.get('*/api/projects/', () => passthrough()),
  ]
  const { url } = await serve({ forward: origin, handlers })

  await fetch(`${url}/api/mine`, { method: 'POST', body: 'text' })
  await fetch(`${url}/api/other`)
  await fetch(`${url}/api/projects/`)

  expect(received).toMatchObject([{ url: '/api/mine', body: 'text' }, { url: '/api/projects/' }])
})

test('a body that middleware has parsed is forwarded', async () => {
  const { origin, received } = await startService()
  const { url } = await serve({ forward: origin, use: [express.json()] })
  const headers = { 'content-type': 'application/json' }

  await fetch(`${url}/users`, { method: 'POST', headers, body: '{ "name": "Ann" }' })

  expect(received).toMatchObject([
    { body: '{"name":"Ann"}', headers: { ...headers, 'content-length': '14' } },
  ])
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

test('a request streams: its first chunk arrives before its end, and a mebibyte passes', async () => {
  let length = 0
  const first = createDeferred()
  const { url } = await serveBefore((request, response) => {
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      first.resolve()
    })
    request.on('end', () => response.end(String(length)))
  })
  const upload = http.request(`${url}/files`, { method: 'POST' })
  const response = new Promise<IncomingMessage>((resolve) => upload.once('response', resolve))

  upload.write('first')
  await first.promise
  upload.end(Buffer.alloc(1024 * 1024))

  expect(await text(await response)).toBe(String(1024 * 1024 + 5))
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
  await expect.poll(() => aborted.mock.calls.length).toBe(1)
})

test('the client learns that the service broke its response', async () => {
  const onForward = vi.fn()
  const cut: RequestListener = (_request, response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('first', () => response.destroy())
  }
  const { url } = await serveBefore(cut, { onForward })

  await expect(fetch(`${url}/events`).then((response) => response.text())).rejects.toThrow()
  await expect
    .poll(() => onForward.mock.calls)
    .toMatchObject([[{ method: 'GET', url: '/events', status: 0 }, undefined]])
})

test('a service that is down is a 502 in the envelope of the API, which says what to do', async () => {
  const forward = 'http://127.0.0.1:9'
  const onForward = vi.fn()
  const { url } = await serve({ forward, onForward })

  const response = await fetch(`${url}/users`, { method: 'POST', body: 'text' })

  const detail = `Failed to reach ${forward}: expected a running server, got no response (ECONNREFUSED). Start it, or forward to another service.`
  expect(response.status).toBe(502)
  expect(await response.json()).toMatchObject({ code: 'bad_gateway', detail })
  expect(onForward.mock.lastCall?.[1]).toBe(detail)
})

test.each([
  ['a status below 100', '000 x'],
  ['an upgrade that was not requested', '101 x\r\nconnection: upgrade\r\nupgrade: a'],
  ['an upgrade without its headers', '101 x'],
])('%s is a 502', async (_, head) => {
  const { url } = await serve({ forward: await startRawServer(`HTTP/1.1 ${head}\r\n\r\n`) })

  const response = await fetch(`${url}/users`)

  expect(response.status).toBe(502)
  expect(await response.text()).toContain('got a broken connection (HPE_')
})

test('a reason phrase with a control character is replaced by the usual one', async () => {
  const forward = await startRawServer('HTTP/1.1 200 a\x01b\r\ncontent-length: 2\r\n\r\nhi')
  const { url } = await serve({ forward })

  const response = await fetch(`${url}/users`)

  expect([response.status, response.statusText, await response.text()]).toEqual([200, 'OK', 'hi'])
})

test('redirects go to the client: those within the service stay here, and no key reaches another host', async () => {
  const other = await startService()
  let near = ''
  const { url } = await serveBefore(({ headers, url: path }, response) => {
    // Another host that starts like the service.
    near = `http://${headers.host}0/users`
    const locations: Record<string, string> = {
      ...{ '/out': other.origin, '/near': near, '/relative': '/a', '/scheme': '//other.test/a' },
    }
    const location = locations[path ?? ''] ?? `http://${headers.host}/users?b`
    response.writeHead(307, { location }).end()
  })
  const ask = async (path: string) => {
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetch(url + path, { headers, redirect: 'manual' })
    return [response.status, response.headers.get('location')]
  }

  expect(await ask('/out')).toEqual([307, other.origin])
  expect(await ask('/in')).toEqual([307, `${url}/users?b`])
  expect(await ask('/near')).toEqual([307, near])
  expect(await ask('/relative')).toEqual([307, '/a'])
  expect(await ask('/scheme')).toEqual([307, '//other.test/a'])
  expect(other.received).toEqual([])
})

test('only the keys of the simulator and of its sandboxes are left out', async () => {
  const { origin, received } = await startService()
  const { url, simulator } = await serve({ forward: origin })
  const sandbox = simulator.sandboxes.create()
  const send = (token: string) =>
    fetch(`${url}/users`, { headers: { authorization: `Bearer ${token}`, 'x-mine': 'yes' } })

  await send(key)
  await send(String(sandbox.key))
  await send('of-the-service')

  expect(received.map(({ headers }) => [headers.authorization, headers['x-mine']])).toEqual([
    [undefined, 'yes'],
    [undefined, 'yes'],
    ['Bearer of-the-service', 'yes'],
  ])
})
