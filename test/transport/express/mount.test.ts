import express from 'express'
import { HttpResponse, http, passthrough } from 'msw'
import { expect, test } from 'vitest'
import { toExpress } from '../../../src/adapters/express/express.ts'
import { authorization } from '../../support/api/headers.ts'
import { annotationsPath } from '../../support/api/paths.ts'
import { plugins } from '../../support/api/plugins.ts'
import { createMiddleware, serveApp } from '../express.ts'

const links = { next: expect.any(String), previous: null }

test('links contain the mount path', async () => {
  const { mock } = createMiddleware()
  const client = await serveApp(express().use('/mock/v1', mock))

  const first = await client.ask('GET', `/mock/v1${annotationsPath}?limit=2`)
  const { next } = first.body as { next: string }
  const second = await fetch(next, { headers: authorization() })

  expect(first).toMatchObject({ status: 200, body: { count: 6, ...links } })
  expect(next).toBe(`${client.origin}/mock/v1${annotationsPath}?limit=2&offset=2`)
  expect(await second.json()).toMatchObject({
    next: `${client.origin}/mock/v1${annotationsPath}?limit=2&offset=4`,
    previous: `${client.origin}/mock/v1${annotationsPath}?limit=2`,
  })
})

test('unmatched requests go on to next()', async () => {
  const { mock } = createMiddleware()
  const app = express()
    .use(mock)
    .get('/api/users', (_request, response) => void response.json(['mine']))
  const client = await serveApp(app)

  expect(await client.ask('GET', '/api/users')).toEqual({ status: 200, body: ['mine'] })
  expect((await client.ask('GET', annotationsPath)).status).toBe(200)
  const missing = await client.send('GET', '/api/nothing')
  expect([missing.status, missing.headers.get('content-type')]).toEqual([
    404,
    'text/html; charset=utf-8',
  ])
})

test('later routes can read the body of an unmatched request', async () => {
  const { mock } = createMiddleware()
  const app = express()
    .use(mock)
    .use(express.json())
    .post('/mine', (request, response) => void response.json({ got: request.body }))
  const { ask } = await serveApp(app)

  const answer = await ask('POST', '/mine', { body: { a: 1 } })

  expect(answer).toEqual({ status: 200, body: { got: { a: 1 } } })
})

test('beside a handler of the user, a body that was parsed stays, and one of the API has the limit of the API', async () => {
  const { simulator, mock } = createMiddleware({}, { bodyLimit: 1_024 })
  simulator.use(http.get('https://flags.example.com/', () => HttpResponse.json({ beta: true })))
  const app = express()
    .use('/mine', express.json())
    .use(mock)
    .post('/mine', (request, response) => void response.json({ got: request.body.name }))
  const { ask } = await serveApp(app)

  const mine = await ask('POST', '/mine', { body: { name: 'Ada' } })
  const body = { name: 'Big', description: 'x'.repeat(2_000) }
  const created = await ask('POST', plugins, { body })
  const refused = await ask('POST', '/others', { body })

  expect(mine).toEqual({ status: 200, body: { got: 'Ada' } })
  expect(created.status).toBe(201)
  expect(refused).toMatchObject({ status: 413, body: { code: 'request_too_large' } })
})

test('the middleware works without Express', async () => {
  const { mock } = createMiddleware()
  const client = await serveApp((request, response) =>
    mock(request, response, () => response.writeHead(404).end('unmatched')),
  )

  const page = await client.ask('GET', `${annotationsPath}?limit=2`)
  const created = await client.ask('POST', annotationsPath, { body: { content: 'Bare' } })

  expect(page.body).toMatchObject({ next: `${client.origin}${annotationsPath}?limit=2&offset=2` })
  expect(created).toMatchObject({ status: 201, body: { content: 'Bare' } })
  expect(await client.ask('GET', '/nothing')).toEqual({ status: 404, body: 'unmatched' })
})

test('a header that is changed after the response is in the journal as it came', async () => {
  const { simulator, mock } = createMiddleware()
  const { ask } = await serveApp((request, response) => {
    response.on('finish', () => Object.assign(request.headers, { 'x-note': 'later' }))
    mock(request, response, () => {})
  })

  await ask('GET', annotationsPath, { headers: { 'x-note': 'sent' } })

  expect(simulator.journal.find()[0]?.request.headers).toMatchObject({ 'x-note': 'sent' })
})

test('a passed-through request goes on to next(), with its body, and handlers can follow the simulator', async () => {
  const { simulator } = createMiddleware()
  const handlers = [http.post('*/api/:any', () => passthrough()), ...simulator.handlers]
  handlers.push(http.get('*/last', () => HttpResponse.json('last')))
  const app = express()
    .use(toExpress(handlers))
    .post('/api/mine', (request, response) => void response.json({ got: String(request.body) }))
  const { ask } = await serveApp(app)

  const answer = await ask('POST', '/api/mine', { body: { a: 1 } })

  expect(answer).toEqual({ status: 200, body: { got: '{"a":1}' } })
  expect(await ask('GET', '/last')).toEqual({ status: 200, body: 'last' })
})

test.each([
  ['trusted', true, 'https://api.example.com'],
  ['of another address', '10.0.0.1', null],
  ['not trusted', false, null],
])(
  'behind a proxy that is %s links have the forwarded host and protocol, or their own',
  async (_, proxies, base) => {
    const { mock } = createMiddleware()
    const client = await serveApp(express().set('trust proxy', proxies).use(mock))
    const headers = { 'x-forwarded-host': 'api.example.com', 'x-forwarded-proto': 'https' }

    const { body } = await client.ask('GET', `${annotationsPath}?limit=2`, { headers })

    expect(body).toMatchObject({
      next: `${base ?? client.origin}${annotationsPath}?limit=2&offset=2`,
    })
  },
)
