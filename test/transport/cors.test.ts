import { HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import type { Middleware } from '../../src/adapters/express/express.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { startHttpServer } from '../support/http-server.ts'
import { serve } from '../support/transports/start.ts'

const origin = 'https://app.example.com'

test('pages can also read errors, their Allow header and the nearest paths', async () => {
  const client = await serve({ settings: { 'limits.body': 64 } })
  const headers = { origin }
  const large = 'x'.repeat(100)

  const responses = [
    await client.send('GET', annotationsPath, { key: null, headers }),
    await client.send('GET', annotationsPath, { key: 'phx_none', headers }),
    await client.send('GET', '/api/nothing', { headers }),
    await client.send('DELETE', `${annotationsPath}1/`, { headers }),
    await client.send('POST', annotationsPath, { body: { content: large }, headers }),
    await client.send('POST', annotationsPath, { body: { deleted: 'maybe' }, headers }),
  ]

  expect(responses.map(({ status }) => status)).toEqual([401, 403, 404, 405, 413, 400])
  for (const response of responses) {
    expect.soft(response.headers.get('access-control-allow-origin')).toBe('*')
    const exposed = response.headers.get('access-control-expose-headers')?.split(',')
    expect.soft(exposed).toEqual(expect.arrayContaining(['allow', 'understudy-nearest']))
  }
})

test('a preflight needs no key and allows every method and header', async () => {
  const client = await serve()

  for (const path of [annotationsPath, `${annotationsPath}1/`, '/api/projects/', '/api/nothing']) {
    const response = await client.send('OPTIONS', path, {
      key: null,
      headers: {
        origin,
        'access-control-request-method': 'PATCH',
        'access-control-request-headers': 'authorization,content-type,x-mine',
      },
    })
    const { 'access-control-allow-methods': methods = '', ...shown } = Object.fromEntries(
      response.headers,
    )
    expect.soft([path, response.status, await response.text(), shown]).toMatchObject([
      ...[path, 200, ''],
      {
        'content-length': '0',
        'access-control-allow-origin': '*',
        'access-control-allow-headers': 'authorization,content-type,x-mine',
      },
    ])
    expect
      .soft(methods.split(',').sort())
      .toEqual(['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT'])
  }
})

test('a request without an origin gets no CORS headers', async () => {
  const client = await serve()

  const { headers } = await client.send('GET', annotationsPath)

  expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
})

test('headers that middleware of the user sets stay, so that pages can send credentials', async () => {
  const service = await startHttpServer((_request, response) => void response.end('{}'))
  const allowCredentials: Middleware = (_request, response, next) => {
    response.setHeader('access-control-allow-origin', origin)
    response.setHeader('access-control-allow-credentials', 'true')
    response.setHeader('access-control-expose-headers', 'x-team')
    response.setHeader('vary', 'Origin')
    next()
  }
  const client = await serve({}, { forward: service, use: [allowCredentials] })
  client.simulator.use(http.get('*/flags', () => HttpResponse.json({ beta: true })))

  const others = ['/api/nothing', '/flags', '/page']
  for (const path of [annotationsPath, `${annotationsPath}99/`, ...others]) {
    const { headers } = await client.send('GET', path, { headers: { origin } })
    expect.soft([path, Object.fromEntries(headers)]).toMatchObject([
      path,
      {
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
        'access-control-expose-headers': 'x-team',
        vary: 'Origin',
      },
    ])
  }
})
