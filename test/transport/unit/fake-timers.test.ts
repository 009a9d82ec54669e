import { setupServer } from 'msw/node'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { listen } from '../../../src/server/listen.ts'
import { createSimulator, type Simulator } from '../../../src/simulator.ts'

const list = '/api/projects/1/annotations/'
const headers = { authorization: 'Bearer phx_all', 'content-type': 'application/json' }

afterEach(() => {
  vi.useRealTimers()
})

type Send = (path: string, init: RequestInit) => Promise<Response>

/** Lists, creates and changes; no timer is advanced on the way. */
async function statuses(send: Send): Promise<number[]> {
  const requests: [path: string, init: RequestInit][] = [
    [list, { headers }],
    [list, { method: 'POST', headers, body: '{"content":"Made"}' }],
    [`${list}9/`, { method: 'PATCH', headers, body: '{"content":"Changed"}' }],
  ]
  const answers: number[] = []
  for (const [path, init] of requests) answers.push((await send(path, init)).status)
  return answers
}

async function overHttp(simulator: Simulator, serve: typeof listen): Promise<number[]> {
  const server = await serve(simulator)
  try {
    return await statuses((path, init) => fetch(server.url + path, init))
  } finally {
    await server.close()
  }
}

test('fake timers installed after the import hang nothing, in-process and over HTTP', async () => {
  vi.useFakeTimers()
  const simulator = createSimulator()

  expect(await statuses((path, init) => simulator.fetch(path, init))).toEqual([200, 201, 200])
  expect(vi.getTimerCount()).toBe(0)
  expect(await overHttp(createSimulator(), listen)).toEqual([200, 201, 200])
})

test('fake timers installed before the import hang nothing, in-process and over HTTP', async () => {
  vi.useFakeTimers()
  vi.resetModules()
  const { createSimulator: create } = await import('../../../src/simulator.ts')
  const { listen: serve } = await import('../../../src/server/listen.ts')

  const simulator = create()
  expect(create).not.toBe(createSimulator)
  expect(await statuses((path, init) => simulator.fetch(path, init))).toEqual([200, 201, 200])
  expect(vi.getTimerCount()).toBe(0)
  expect(await overHttp(create(), serve)).toEqual([200, 201, 200])
})

test('so it is through setupServer and fetch', async () => {
  vi.useFakeTimers()
  const simulator = createSimulator({ baseUrl: 'http://faked.test' })
  const server = setupServer(...simulator.handlers)
  server.listen()
  onTestFinished(() => server.close())

  expect(await statuses((path, init) => fetch(`http://faked.test${path}`, init))).toEqual([
    200, 201, 200,
  ])
})

test('the real clock is that of the fake timers, any other its own', () => {
  vi.useFakeTimers({ now: Date.parse('2001-01-01T00:00:00Z') })
  const real = createSimulator()
  const ticking = createSimulator({ clock: { mode: 'ticking', time: '2024-01-01' } })
  const frozen = createSimulator({ clock: '2024-01-01' })

  vi.advanceTimersByTime(1000)

  expect([real, ticking, frozen].map(({ clock }) => clock.iso())).toEqual([
    '2001-01-01T00:00:01Z',
    '2024-01-01T00:00:01Z',
    '2024-01-01T00:00:00Z',
  ])
})
