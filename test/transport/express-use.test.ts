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
