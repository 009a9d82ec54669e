import express from 'express'
import { expect, test, vi } from 'vitest'
import { authorization } from '../support/api/headers.ts'
import { serve } from '../support/forwarding.ts'
import { initOf } from '../support/transports/client.ts'

const headers = authorization()

test('every request passes through the handle method of the Express application', async () => {
  const handle = vi.spyOn(express.application as unknown as { handle(): void }, 'handle')
  const { url } = await serve({})

  await fetch(`${url}/api/projects/`, { headers })
  await fetch(`${url}/api/projects/1/annotations/`, { headers, method: 'POST', body: '{}' })
  await fetch(`${url}/__admin/health`)
  await fetch(`${url}/nowhere`)

  expect(handle).toHaveBeenCalledTimes(4)
})

test('middleware in front can add a header, a log and a route', async () => {
  const log: string[] = []
  const router = express.Router()
  router.get('/hello', (request, response) => {
    response.json({ hello: request.query.name })
  })
  const { url } = await serve({
    use: [
      (request, response, next) => {
        log.push(`${request.method} ${request.url}`)
        response.setHeader('x-team', 'web')
        next()
      },
      express.json(),
      router,
    ],
  })

  const custom = await fetch(`${url}/hello?name=Ada`)
  const create = initOf('POST', { body: { content: 'Launch' } })
  const created = await fetch(`${url}/api/projects/1/annotations/`, create)

  expect(await custom.json()).toEqual({ hello: 'Ada' })
  expect(created.status).toBe(201)
  expect(await created.json()).toMatchObject({ content: 'Launch' })
  expect([custom, created].map((response) => response.headers.get('x-team'))).toEqual([
    'web',
    'web',
  ])
  expect(log).toEqual(['GET /hello?name=Ada', 'POST /api/projects/1/annotations/'])
})

test('an application in front has its own req.app, and the one of the server comes back after it', async () => {
  const apps: unknown[] = []
  const inner = express().set('name', 'inner')
  inner.get('/inner', ({ app, query }, response) => {
    response.json({ app: app.get('name'), query })
  })
  const { url } = await serve({
    use: [
      (request, _response, next) => {
        apps.push((request as express.Request).app)
        next()
      },
      inner,
      (request, response, next) => {
        apps.push((request as express.Request).app)
        ;(response as express.Response).set('x-own', String((request as express.Request).ip))
        next()
      },
    ],
  })

  const own = await fetch(`${url}/inner?a=1`)
  const passed = await fetch(`${url}/api/projects/`, { headers })

  expect(await own.json()).toEqual({ app: 'inner', query: { a: '1' } })
  expect(passed.status).toBe(200)
  expect(passed.headers.get('x-own')).toBe('127.0.0.1')
  expect(apps).toHaveLength(3)
  expect(new Set(apps).size).toBe(1)
  expect(apps[0]).not.toBe(inner)
})

test('each page has its own bytes: those of other requests, of clients that leave, and what a middleware keeps stay apart', async () => {
  const kept: (string | Buffer)[] = []
  const { url, simulator } = await serve({
    use: [
      ({ url }, response, next) => {
        const write = response.write.bind(response) as (...args: [chunk: Buffer]) => boolean
        if (url?.endsWith('offset=3'))
          response.write = (...args: [chunk: Buffer]) => {
            kept.push(args[0])
            return write(...args)
          }
        next()
      },
    ],
  })
  const rows = Array.from({ length: 300 }, (_, at) => ({ content: `${at}` }))
  simulator.world.add({ annotations: rows })
  const list = '/api/projects/1/annotations/?limit=200&offset='
  const paths = Array.from({ length: 40 }, (_, at) => `${list}${at}`)
  const readAll = (all: readonly Promise<Response>[]): Promise<string[]> =>
    Promise.all(all.map(async (response) => (await response).text()))

  const first = await readAll(paths.slice(0, 20).map((path) => fetch(url + path, { headers })))
  const gone = paths.map((path) => fetch(url + path, { headers, signal: AbortSignal.timeout(5) }))
  const [, second] = await Promise.all([
    Promise.allSettled(gone),
    readAll(paths.slice(20).map((path) => fetch(url + path, { headers }))),
  ])

  const expected = await readAll(paths.map((path) => simulator.fetch(url + path, { headers })))
  expect([...first, ...second]).toEqual(expected)
  expect(String(kept[0])).toBe(expected[3])

  for (const chunk of kept) if (Buffer.isBuffer(chunk)) chunk.fill(0)
  expect(await (await fetch(`${url}${list}2`, { headers })).text()).toBe(expected[2])
})
