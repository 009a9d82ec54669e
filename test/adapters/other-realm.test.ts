// Globals of another realm: jsdom, Jest and node:vm have their own.
import http from 'node:http'
import { runInNewContext } from 'node:vm'
import { setupServer } from 'msw/node'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createAs } from '../../src/integrations/testing/fixtures.ts'
import { createSimulator } from '../../src/simulator/simulator.ts'

const path = '/api/projects/1/annotations/'
const headers = { authorization: 'Bearer phx_all' }

test.each(['Uint8Array', 'AbortSignal'])(
  'a global %s of another realm changes no response',
  async (name) => {
    const simulator = createSimulator()
    const server = setupServer(...simulator.handlers)
    server.listen()
    onTestFinished(() => server.close())
    const url = `https://app.example.com${path}`
    const expected = await (await fetch(url, { headers })).json()
    vi.stubGlobal(name, runInNewContext(`globalThis.${name}`) ?? class {})

    // The second read sends bytes that were kept.
    const lists = [await fetch(url, { headers }), await fetch(url, { headers })]
    const json = { ...headers, 'content-type': 'application/json' }
    const created = await fetch(url, {
      method: 'POST',
      headers: json,
      body: '{"content":"Launch"}',
    })
    const got = await new Promise<http.IncomingMessage>((resolve, reject) => {
      http.get(url.replace('s:', ':'), { headers }, resolve).on('error', reject)
    })
    vi.unstubAllGlobals()

    expect(await Promise.all(lists.map((list) => list.json()))).toEqual([expected, expected])
    expect((await created.json()).content).toBe('Launch')
    expect(got.statusCode).toBe(200)
    expect(simulator.journal.find().map(({ request }) => request.body)).toContainEqual({
      content: 'Launch',
    })
  },
)

test('a simulator takes a Request, a Response and a Date of another realm', async () => {
  const simulator = createSimulator({ clock: runInNewContext('new Date("2024-06-15T12:00:00Z")') })
  const { fetch } = createAs(simulator)('all')
  const request = new Request(`http://localhost${path}`, { headers: { 'x-note': 'kept' } })
  const response = await fetch(`${path}?limit=1`)
  for (const name of ['Request', 'Response']) vi.stubGlobal(name, class {})
  const explained = await simulator.explain(response)
  vi.unstubAllGlobals()

  expect(simulator.clock.now()).toBe(Date.parse('2024-06-15T12:00:00Z'))
  expect(explained.status).toBe(200)
  expect((await fetch(request)).status).toBe(200)
})
