import http from 'node:http'
import express, { type Express } from 'express'
import { expect, onTestFinished, test } from 'vitest'
import {
  createFastServer,
  supportsFastServer,
} from '../../../../src/adapters/express/fast-server.ts'
import { listen } from '../../../../src/server/listen.ts'
import { createSimulator } from '../../../../src/simulator.ts'
import { authorization } from '../../../support/api/headers.ts'

/** Express does not change requests and responses that already have its prototypes. */
test('requests and responses have the prototypes of the application from the start', async () => {
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

test('requests and responses are instances of the classes of Node, and know their application', async () => {
  const app = express()
  const server = createFastServer(app)
  app.use((request, response) => {
    const checks = [
      request instanceof http.IncomingMessage,
      response instanceof http.ServerResponse,
      request.app === app,
      response.app === app,
      request.res === response,
      response.req === request,
    ]
    response.json(checks)
  })

  const answer = await fetch(await urlOf(server))

  expect(await answer.json()).toEqual([true, true, true, true, true, true])
})

test('two applications do not share properties of their requests', () => {
  const [one, two] = [express(), express()]
  createFastServer(one)
  createFastServer(two)
  Reflect.set(one.request, 'added', true)

  expect(Reflect.get(two.request, 'added')).toBeUndefined()
  expect(Reflect.get(express().request, 'added')).toBeUndefined()
})

test('the installed version of Express supports fast servers', () => {
  expect(supportsFastServer(express())).toBe(true)
})

test.each(['request', 'response'] as const)(
  'listen creates a plain server if %s is no longer a plain property of Express applications',
  async (name) => {
    const values = new WeakMap<object, unknown>()
    Object.defineProperty(express.application, name, {
      configurable: true,
      enumerable: true,
      get(this: object) {
        return values.get(this)
      },
      set(this: object, value) {
        values.set(this, value)
      },
    })
    onTestFinished(() => void Reflect.deleteProperty(express.application, name))
    const simulator = createSimulator()

    expect(supportsFastServer(express())).toBe(false)
    const server = await listen(simulator)
    onTestFinished(() => server.close())
    const response = await fetch(`${server.url}/api/projects/`, {
      headers: authorization(),
    })

    expect(response.status).toBe(200)
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
