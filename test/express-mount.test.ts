import express from 'express'
import { delay, HttpResponse, http, passthrough } from 'msw'
import { expect } from 'vitest'
import { toExpress } from '../src/adapters/express/express.ts'
import { middleware, serve } from './support/mount.ts'
import { lane, overHttp } from './support/start.ts'
import { organization } from './support/walk.ts'

const list = '/api/projects/1/annotations/'
const links = { next: expect.any(String), previous: null }

overHttp('mounted below a path, links keep that path (over HTTP only) [§3:links]', async () => {
  const { mock } = middleware()
  const client = await serve(express().use('/mock/v1', mock))

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

overHttp(
  'mounted below a router in a router it works the same (over HTTP only) [§3:links]',
  async () => {
    const { mock } = middleware()
    const inner = express.Router().use('/b', mock)
    const client = await serve(express().use('/a', express.Router().use(inner)))

    const { body } = await client.ask('GET', `/a/b${list}?limit=2`)

    expect(body).toMatchObject({ next: `${client.origin}/a/b${list}?limit=2&offset=2` })
  },
)

overHttp('what it does not know goes on to next() (over HTTP only)', async () => {
  const { mock } = middleware()
  const app = express()
    .use(mock)
    .get('/api/users', (_request, response) => void response.json(['mine']))
  const client = await serve(app)

  expect(await client.ask('GET', '/api/users')).toEqual({ status: 200, body: ['mine'] })
  expect((await client.ask('GET', list)).status).toBe(200)
  const missing = await client.send('GET', '/api/nothing')
  expect([missing.status, missing.headers.get('content-type')]).toEqual([
    404,
    'text/html; charset=utf-8',
  ])
})

overHttp(
  'a body that it does not read is left to the routes behind it (over HTTP only)',
  async () => {
    const { mock } = middleware()
    const app = express()
      .use(mock)
      .use(express.json())
      .post('/mine', (request, response) => void response.json({ got: request.body }))
    const { ask } = await serve(app)

    const answer = await ask('POST', '/mine', { body: { a: 1 } })

    expect(answer).toEqual({ status: 200, body: { got: { a: 1 } } })
  },
)

overHttp('routes that stand before it win, and may call next() (over HTTP only)', async () => {
  const { mock } = middleware()
  const seen: string[] = []
  const app = express()
    .get(`${list}1/`, (_request, response) => void response.status(503).end())
    .use((request, _response, next) => {
      seen.push(request.path)
      next()
    })
    .use(mock)
  const { ask } = await serve(app)

  expect((await ask('GET', `${list}1/`)).status).toBe(503)
  expect((await ask('GET', `${list}2/`)).status).toBe(200)
  expect(seen).toEqual([`${list}2/`])
})

overHttp('two stand side by side below paths of their own (over HTTP only)', async () => {
  const [one, two] = [middleware(), middleware({ world: 'empty' })]
  const app = express().use('/one', one.mock).use('/two', two.mock)
  const { ask } = await serve(app)

  await ask('POST', `/one${list}`, { body: {} })

  expect(await ask('GET', `/one${list}`)).toMatchObject({ body: { count: 7 } })
  expect(await ask('GET', `/two${list}`)).toMatchObject({ body: { count: 0 } })
})

overHttp('it works without Express in front (over HTTP only) [§3:links]', async () => {
  const { mock } = middleware()
  const client = await serve((request, response) =>
    mock(request, response, () => response.writeHead(404).end('nobody')),
  )

  const page = await client.ask('GET', `${list}?limit=2`)
  const created = await client.ask('POST', list, { body: { content: 'Bare' } })

  expect(page.body).toMatchObject({ next: `${client.origin}${list}?limit=2&offset=2` })
  expect(created).toMatchObject({ status: 201, body: { content: 'Bare' } })
  expect(await client.ask('GET', '/nothing')).toEqual({ status: 404, body: 'nobody' })
})

overHttp(
  'what a handler passes through goes on to next(), with its body (over HTTP only)',
  async () => {
    const { simulator } = middleware()
    const handlers = [http.post('*/api/:any', () => passthrough()), ...simulator.handlers]
    const app = express()
      .use(toExpress(handlers, { lane: lane === 'http-msw' ? 'msw' : 'direct' }))
      .post('/api/mine', (request, response) => void response.json({ got: String(request.body) }))
    const { ask } = await serve(app)

    const answer = await ask('POST', '/api/mine', { body: { a: 1 } })

    expect(answer).toEqual({ status: 200, body: { got: '{"a":1}' } })
  },
)

overHttp('handlers alone, without ours, may be mounted too (over HTTP only)', async () => {
  const handler = http.get(`*/api/organizations/${organization}`, async () => {
    await delay(5)
    return HttpResponse.json({ mine: true })
  })
  const { ask } = await serve(express().use('/mock', toExpress([handler])))

  const answer = await ask('GET', `/mock/api/organizations/${organization}`)

  expect(answer).toEqual({ status: 200, body: { mine: true } })
})

overHttp(
  'a path that misspells one of ours is answered as the service would (over HTTP only)',
  async () => {
    const { mock } = middleware()
    const client = await serve(express().use('/mock', mock))

    const answer = await client.send('POST', '/mock/api/projects/1/anotations/', { body: {} })

    expect(answer.status).toBe(404)
    expect(answer.headers.get('understudy-nearest')).toMatch(
      /^POST \/api\/projects\/:project_id\/annotations, /,
    )
  },
)
