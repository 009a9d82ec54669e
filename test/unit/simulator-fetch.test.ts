import { expect, test } from 'vitest'
import { createSimulator } from '../../src/simulator.ts'

const list = '/api/projects/1/annotations/'
const headers = { authorization: 'Bearer phx_all' }

test('fetch takes a path, an address, a URL or a Request, with options or without', async () => {
  const simulator = createSimulator()
  const address = `https://any.test${list}?limit=1`
  const request = new Request(address, { headers })

  const pages = [
    await simulator.fetch(`${list}?limit=1`, { headers }),
    await simulator.fetch(address, { headers }),
    await simulator.fetch(new URL(address), { headers }),
    await simulator.fetch(request.clone()),
    await simulator.fetch(request, { headers: { authorization: 'Bearer phx_none' } }),
  ]

  expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200, 403])
  const bodies = await Promise.all(pages.slice(0, 4).map((page) => page.json()))
  expect(bodies.map(({ next }) => next)).toEqual([
    `http://localhost${list}?limit=1&offset=1`,
    ...Array(3).fill(`${address}&offset=1`),
  ])
})

test.each([
  ['https://api.test', 'https://api.test'],
  ['https://api.test/v1/', 'https://api.test/v1'],
  ['/service', 'http://localhost/service'],
  ['*', 'http://localhost'],
])('with the base URL %s a path begins there', async (baseUrl, base) => {
  const simulator = createSimulator({ baseUrl })

  const answer = await simulator.fetch(`${list}?limit=1`, { headers })

  expect(await answer.json()).toMatchObject({ next: `${base}${list}?limit=1&offset=1` })
})

test('fetch answers as a server does: unknown paths, HEAD, 204', async () => {
  const simulator = createSimulator()
  const organization = simulator.defaults.organization_id

  const unknown = await simulator.fetch('/favicon.ico')
  const head = await simulator.fetch(list, { method: 'HEAD', headers })
  const gone = await simulator.fetch(`/api/organizations/${organization}/plugins/23/`, {
    method: 'DELETE',
    headers,
  })

  expect([unknown.status, unknown.headers.has('understudy-nearest')]).toEqual([404, true])
  expect(await unknown.json()).toMatchObject({ detail: 'Endpoint not found.' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  expect([gone.status, gone.body]).toEqual([204, null])
})
