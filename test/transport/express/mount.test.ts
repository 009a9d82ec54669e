import express, { type Express } from 'express'
import { delay, HttpResponse, http, passthrough } from 'msw'
import { expect } from 'vitest'
import { toExpress } from '../../../src/adapters/express/express.ts'
import { organization } from '../../support/api/endpoints.ts'
import type { Client } from '../../support/lanes/client.ts'
import { createMiddleware, serveApp } from '../../support/lanes/mount.ts'
import { lane, socketTest } from '../../support/lanes/start.ts'

const list = '/api/projects/1/annotations/'
const links = { next: expect.any(String), previous: null }

socketTest('links contain the mount path (over HTTP only) [§3:links]', async () => {
  const { mock } = createMiddleware()
  const client = await serveApp(express().use('/mock/v1', mock))

  const first = await client.ask('GET', `/mock/v1${list}?limit=2`)
  const { next } = first.body as { next: string }
  const second = await fetch(next, { headers: { authorization: 'Bearer phx_all' } })

  expect(first).toMatchObject({ status: 200, body: { count: 6, ...links } })
  expect(next).toBe(`${client.origin}/mock/v1${list}?limit=2&offset=2`)
  expect(await second.json()).toMatchObject({
    next: `${client.origin}/mock/v1${list}?limit=2&offset=4`,
    previous: `${client.origin}/mock/v1${list}?limit=2`,
  })
})

socketTest(
  'links contain the mount paths of nested routers (over HTTP only) [§3:links]',
  async () => {
    const { mock } = createMiddleware()
    const inner = express.Router().use('/b', mock)
    const client = await serveApp(express().use('/a', express.Router().use(inner)))

    const { body } = await client.ask('GET', `/a/b${list}?limit=2`)

    expect(body).toMatchObject({ next: `${client.origin}/a/b${list}?limit=2&offset=2` })
  },
)

socketTest('unmatched requests go on to next() (over HTTP only)', async () => {
  const { mock } = createMiddleware()
  const app = express()
    .use(mock)
    .get('/api/users', (_request, response) => void response.json(['mine']))
  const client = await serveApp(app)

  expect(await client.ask('GET', '/api/users')).toEqual({ status: 200, body: ['mine'] })
  expect((await client.ask('GET', list)).status).toBe(200)
  const missing = await client.send('GET', '/api/nothing')
  expect([missing.status, missing.headers.get('content-type')]).toEqual([
    404,
    'text/html; charset=utf-8',
  ])
})

socketTest('later routes can read the body of an unmatched request (over HTTP only)', async () => {
  const { mock } = createMiddleware()
  const app = express()
    .use(mock)
    .use(express.json())
    .post('/mine', (request, response) => void response.json({ got: request.body }))
  const { ask } = await serveApp(app)

  const answer = await ask('POST', '/mine', { body: { a: 1 } })

  expect(answer).toEqual({ status: 200, body: { got: { a: 1 } } })
})

socketTest('earlier routes take precedence, and can call next() (over HTTP only)', async () => {
  const { mock } = createMiddleware()
  const seen: string[] = []
  const app = express()
    .get(`${list}1/`, (_request, response) => void response.status(503).end())
    .use((request, _response, next) => {
      seen.push(request.path)
      next()
    })
    .use(mock)
  const { ask } = await serveApp(app)

  expect((await ask('GET', `${list}1/`)).status).toBe(503)
  expect((await ask('GET', `${list}2/`)).status).toBe(200)
  expect(seen).toEqual([`${list}2/`])
})

socketTest('two simulators can be mounted at different paths (over HTTP only)', async () => {
  const [one, two] = [createMiddleware(), createMiddleware({ world: 'empty' })]
  const app = express().use('/one', one.mock).use('/two', two.mock)
  const { ask } = await serveApp(app)

  await ask('POST', `/one${list}`, { body: {} })

  expect(await ask('GET', `/one${list}`)).toMatchObject({ body: { count: 7 } })
  expect(await ask('GET', `/two${list}`)).toMatchObject({ body: { count: 0 } })
})

socketTest('the middleware works without Express (over HTTP only) [§3:links]', async () => {
  const { mock } = createMiddleware()
  const client = await serveApp((request, response) =>
    mock(request, response, () => response.writeHead(404).end('unmatched')),
  )

  const page = await client.ask('GET', `${list}?limit=2`)
  const created = await client.ask('POST', list, { body: { content: 'Bare' } })

  expect(page.body).toMatchObject({ next: `${client.origin}${list}?limit=2&offset=2` })
  expect(created).toMatchObject({ status: 201, body: { content: 'Bare' } })
  expect(await client.ask('GET', '/nothing')).toEqual({ status: 404, body: 'unmatched' })
})

socketTest(
  'a passed-through request goes on to next(), with its body (over HTTP only)',
  async () => {
    const { simulator } = createMiddleware()
    const handlers = [http.post('*/api/:any', () => passthrough()), ...simulator.handlers]
    const app = express()
      .use(toExpress(handlers, { lane: lane === 'http-msw' ? 'msw' : 'direct' }))
      .post('/api/mine', (request, response) => void response.json({ got: String(request.body) }))
    const { ask } = await serveApp(app)

    const answer = await ask('POST', '/api/mine', { body: { a: 1 } })

    expect(answer).toEqual({ status: 200, body: { got: '{"a":1}' } })
  },
)

socketTest(
  'handlers that are not of a simulator can be mounted, too (over HTTP only)',
  async () => {
    const handler = http.get(`*/api/organizations/${organization}`, async () => {
      await delay(5)
      return HttpResponse.json({ mine: true })
    })
    const { ask } = await serveApp(express().use('/mock', toExpress([handler])))

    const response = await ask('GET', `/mock/api/organizations/${organization}`)

    expect(response).toEqual({ status: 200, body: { mine: true } })
  },
)

socketTest('a misspelt API path gets the response of the API (over HTTP only)', async () => {
  const { mock } = createMiddleware()
  const client = await serveApp(express().use('/mock', mock))

  const response = await client.send('POST', '/mock/api/projects/1/anotations/', { body: {} })

  expect(response.status).toBe(404)
  expect(response.headers.get('understudy-nearest')).toMatch(
    /^POST \/api\/projects\/:project_id\/annotations, /,
  )
})

const query = '?limit=2&offset=2'
const forwarded = {
  'x-forwarded-host': 'api.example.com',
  'x-forwarded-proto': 'https',
}

socketTest(
  'behind a trusted proxy links have the forwarded host and protocol (over HTTP only) [§3:links]',
  async () => {
    const { mock } = createMiddleware()
    const client = await serveApp(trusting(true).use(mock))

    expect(await nextOf(client, list, forwarded)).toBe(`https://api.example.com${list}${query}`)
  },
)

socketTest(
  'behind a trusted proxy links contain the mount path (over HTTP only) [§3:links]',
  async () => {
    const { mock } = createMiddleware()
    const client = await serveApp(trusting('loopback').use('/mock', mock))

    expect(
      await nextOf(client, `/mock${list}`, { ...forwarded, 'x-forwarded-host': 'h:8443' }),
    ).toBe(`https://h:8443/mock${list}${query}`)
  },
)

socketTest(
  'forwarded headers of an untrusted proxy are ignored (over HTTP only) [§3:links]',
  async () => {
    const { mock } = createMiddleware()
    const [untrusted, other] = [
      await serveApp(express().use(mock)),
      await serveApp(trusting('10.0.0.1').use(mock)),
    ]

    expect(await nextOf(untrusted, list, forwarded)).toBe(`${untrusted.origin}${list}${query}`)
    expect(await nextOf(other, list, forwarded)).toBe(`${other.origin}${list}${query}`)
  },
)

socketTest(
  'an invalid forwarded host does not appear in links (over HTTP only) [§3:links]',
  async () => {
    const { mock } = createMiddleware()
    const client = await serveApp(trusting(true).use(mock))

    for (const host of ['evil.test/path?', 'a b', '"><script>'])
      expect(await nextOf(client, list, { 'x-forwarded-host': host })).toBe(
        `http://localhost${list}${query}`,
      )
  },
)

function trusting(proxies: boolean | string): Express {
  return express().set('trust proxy', proxies)
}

async function nextOf(
  client: Client,
  path: string,
  headers: Record<string, string>,
): Promise<unknown> {
  const { body } = await client.ask('GET', `${path}?limit=2`, { headers })
  return (body as { next: unknown }).next
}
