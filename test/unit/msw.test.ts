import { getResponse, HttpResponse, http } from 'msw'
import { expect, test } from 'vitest'
import { createSimulator } from '../../src/simulator.ts'
import { intercept, startOther } from '../support/intercept.ts'

const list = '/api/projects/1/annotations/'
const headers = { authorization: 'Bearer phx_all' }

test('by default handlers answer on any origin', async () => {
  intercept(createSimulator().handlers)

  for (const origin of ['https://app.example.com', 'http://localhost:3000', 'http://127.0.0.1']) {
    const answer = await fetch(`${origin}${list}?limit=1`, { headers })
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ next: `${origin}${list}?limit=1&offset=1` })
  }
})

test('and leave every other path alone: the network gets it, and onUnhandledRequest sees it', async () => {
  const { unhandled } = intercept(createSimulator().handlers)
  const other = await startOther()
  const paths = ['/', '/api/users', '/api/projects/1', '/v1/api/projects/', '/api//projects/']

  for (const path of paths) {
    const answer = await fetch(`${other}${path}`, { headers })
    expect(await answer.json(), path).toEqual({ other: path })
  }

  expect(unhandled).toEqual(paths.map((path) => `${other}${path}`))
})

test('overrides of a user win, and go away again with resetHandlers', async () => {
  const { server } = intercept(createSimulator().handlers)
  const ask = async () => (await fetch(`http://a.test${list}`, { headers })).status

  server.use(http.get(`*${list}`, () => new HttpResponse(null, { status: 503 })))
  const overridden = await ask()
  server.resetHandlers()
  server.use(http.get(`*${list}`, () => new HttpResponse(null, { status: 429 }), { once: true }))
  const once = [await ask(), await ask()]

  expect([overridden, ...once]).toEqual([503, 429, 200])
})

test('listHandlers prints the methods and the path of each handler', () => {
  const { handlers } = createSimulator()
  const { server } = intercept(handlers)

  expect(server.listHandlers()).toEqual(handlers)
  const shown = handlers.map(({ info }) => info.header)
  expect(shown).toEqual(
    expect.arrayContaining([
      'GET */api/projects',
      'GET, POST */api/projects/:project_id/annotations',
      'PATCH */api/organizations/:organization_id/plugins/:id/update_source',
    ]),
  )
  expect(new Set(shown).size).toBe(handlers.length)
})

test('two simulators stand side by side, each on its origin', async () => {
  const one = createSimulator({ baseUrl: 'https://one.test' })
  const two = createSimulator({ baseUrl: 'https://two.test', world: 'empty' })
  intercept([...one.handlers, ...two.handlers])

  const created = await fetch(`https://two.test${list}`, { method: 'POST', headers })

  expect(created.status).toBe(201)
  expect([one.world.annotations.count, two.world.annotations.count]).toEqual([8, 1])
})

test('forty simulators at once, each in a boundary, see only their own requests', async () => {
  const { server } = intercept([])

  const counts = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      server.boundary(async () => {
        const simulator = createSimulator({ world: 'empty' })
        server.use(...simulator.handlers)
        for (let round = 0; round < index % 5; round++) {
          await fetch(`http://shared.test${list}`, { method: 'POST', headers })
        }
        const page = await (await fetch(`http://shared.test${list}`, { headers })).json()
        return [index % 5, page.count, simulator.world.annotations.count]
      })(),
    ),
  )

  for (const [expected, listed, stored] of counts)
    expect([listed, stored]).toEqual([expected, expected])
})

test('getResponse answers from the handlers without a server', async () => {
  const { handlers } = createSimulator()
  const ask = (method: string, path: string) =>
    getResponse(handlers, new Request(`http://a.test${path}`, { method, headers }))

  expect((await ask('GET', `${list}1/`))?.status).toBe(200)
  expect((await ask('HEAD', list))?.status).toBe(200)
  expect((await ask('PROPFIND', list))?.status).toBe(405)
  expect(await ask('GET', '/api/users')).toBeUndefined()
})
