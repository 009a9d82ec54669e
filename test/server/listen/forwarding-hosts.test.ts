import http, { type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createSimulator } from '../../../src/index.ts'
import { listen } from '../../../src/node.ts'
import { serve, startService } from '../../support/forwarding.ts'
import { startHttpServer } from '../../support/http-server.ts'

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
    `"The forwarded service cannot be accessed from another site, got the origin http://${other}."`,
  )
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
