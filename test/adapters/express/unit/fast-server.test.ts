import http from 'node:http'
import express, { type Express } from 'express'
import { expect, onTestFinished, test } from 'vitest'
import {
  createFastServer,
  supportsFastServer,
} from '../../../../src/adapters/express/fast-server.ts'
import { listen } from '../../../../src/server/listen.ts'
import { createSimulator } from '../../../../src/simulator.ts'

/** What Express does to a request that it gets: nothing, where this holds. */
test('requests and responses have the prototypes of the application from their birth', async () => {
  const app = express()
  const server = createFastServer(app)
  const atBirth: boolean[] = []
  const later: boolean[] = []
  server.prependListener('request', (request, response) => {
    atBirth.push(isOf(app, request, response))
  })
  app.get('/x', (request, response) => {
    later.push(isOf(app, request, response))
    response.status(201).json({ host: request.host, query: request.query, path: request.path })
  })

  const answer = await fetch(`${await urlOf(server)}/x?a=1`)

  expect([...atBirth, ...later]).toEqual([true, true])
  expect(answer.status).toBe(201)
  expect(await answer.json()).toEqual({
    host: new URL(answer.url).host,
    query: { a: '1' },
    path: '/x',
  })
})

test('they are what Node makes, and know their application', async () => {
  const app = express()
  const server = createFastServer(app)
  app.use((request, response) => {
    const is = [
      request instanceof http.IncomingMessage,
      response instanceof http.ServerResponse,
      request.app === app,
      response.app === app,
      request.res === response,
      response.req === request,
    ]
    response.json(is)
  })

  const answer = await fetch(await urlOf(server))

  expect(await answer.json()).toEqual([true, true, true, true, true, true])
})

test('two such applications do not share what they add to their requests', () => {
  const [one, two] = [express(), express()]
  createFastServer(one)
  createFastServer(two)
  Reflect.set(one.request, 'added', true)

  expect(Reflect.get(two.request, 'added')).toBeUndefined()
  expect(Reflect.get(express().request, 'added')).toBeUndefined()
})

test('the Express that is installed allows it', () => {
  expect(supportsFastServer(express())).toBe(true)
})

test.each(['request', 'response'] as const)(
  'where Express no longer keeps %s as a plain property, listen serves the stock way',
  async (name) => {
    const kept = new WeakMap<object, unknown>()
    Object.defineProperty(express.application, name, {
      configurable: true,
      enumerable: true,
      get(this: object) {
        return kept.get(this)
      },
      set(this: object, value) {
        kept.set(this, value)
      },
    })
    onTestFinished(() => void Reflect.deleteProperty(express.application, name))
    const simulator = createSimulator()

    expect(supportsFastServer(express())).toBe(false)
    const server = await listen(simulator)
    onTestFinished(() => server.close())
    const answer = await fetch(`${server.url}/api/projects/`, {
      headers: { authorization: 'Bearer phx_all' },
    })

    expect(answer.status).toBe(200)
  },
)

function isOf(app: Express, request: object, response: object): boolean {
  return (
    Object.getPrototypeOf(request) === app.request &&
    Object.getPrototypeOf(response) === app.response
  )
}

async function urlOf(server: http.Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`
}
