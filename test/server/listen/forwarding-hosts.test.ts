import http from 'node:http'
import { expect, test } from 'vitest'
import { createSimulator } from '../../../src/index.ts'
import { listen } from '../../../src/node.ts'
import { serve, startService } from '../../support/forwarding.ts'
import { startHttpServer } from '../../support/http-server.ts'
import { sendRawRequest as send } from '../raw-request.ts'

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

test('the service gets the names of all proxies on the way', async () => {
  const { origin, received } = await startService()
  const { url } = await serve({ forward: origin })

  await send(url, 'GET', '/users', { via: '1.1 other' })

  expect(received[0]?.headers.via).toBe(`1.1 other, 1.1 ${new URL(url).host}`)
})

test.each([
  ['of another site', { origin: 'https://evil.test' }],
  ['of another site, without an origin', { 'sec-fetch-site': 'cross-site' }],
  ['that says nothing known of its site', { 'sec-fetch-site': 'x' }],
  ['under a name that leads to this machine', { host: 'evil.test' }],
])('a page %s cannot reach the service', async (_, headers) => {
  const { origin, received } = await startService()
  const { url } = await serve({ forward: origin })

  const { status } = await send(url, 'GET', '/users', headers as Record<string, string>)

  expect([status, received]).toEqual([403, []])
})

test('a page of this machine reaches the service, and any host does on a server that others reach', async () => {
  const { origin, received } = await startService()
  const { url } = await serve({ forward: origin })
  const exposed = await serve({ forward: origin, host: '0.0.0.0' })
  const get = async (to: string, headers: Record<string, string>) =>
    (await send(to, 'GET', '/users', headers)).status

  expect(await get(url, { origin: 'http://localhost:5173' })).toBe(201)
  expect(await get(url, { 'sec-fetch-site': 'same-site' })).toBe(201)
  expect(await get(exposed.url, { host: 'mock:4010', 'sec-fetch-site': 'same-site' })).toBe(403)
  expect(await get(exposed.url, { host: 'mock:4010', origin: 'http://mock:4010' })).toBe(201)
  expect(await get(exposed.url, { host: 'mock:4010', origin: 'http://evil.test' })).toBe(403)
  expect(received).toHaveLength(3)
})

test.each(['service', 'ftp://a', 'http://a/b', 'http://a?b', 'http://me:secret@a', ''])(
  'a target that is no origin is refused: %j',
  async (forward) => {
    await expect(listen(createSimulator(), { forward })).rejects.toThrow(
      `Failed to forward requests: expected the origin of a service, such as http://127.0.0.1:8000, got ${JSON.stringify(forward.replace('me:secret', '…'))}.`,
    )
  },
)

test('preflights and CORS headers of other paths are those of the service', async () => {
  const { origin, received } = await startService()
  const { url } = await serve({ forward: origin })
  const preflight = async (path: string, method = 'GET') => {
    const headers = {
      origin: 'http://localhost:5173',
      ...(method === 'OPTIONS' && { 'access-control-request-method': 'GET' }),
    }
    const response = await send(url, method, path, headers as Record<string, string>)
    const names = ['access-control-allow-origin', 'access-control-expose-headers']
    return [response.status, ...names.map((name) => response.headers[name])]
  }

  expect(await preflight('/users', 'OPTIONS')).toEqual([201, undefined, undefined])
  expect(await preflight('/users')).toEqual([201, undefined, undefined])
  expect((await preflight('/api/projects/', 'OPTIONS')).slice(0, 2)).toEqual([200, '*'])
  expect(received.map(({ method }) => method)).toEqual(['OPTIONS', 'GET'])
})
