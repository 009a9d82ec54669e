import { afterEach, expect, test, vi } from 'vitest'
import type { listen } from '../../../src/server/listen.ts'
import { createSimulator, type Simulator } from '../../../src/simulator/simulator.ts'
import { jsonHeaders } from '../../support/api/headers.ts'
import { annotationsPath } from '../../support/api/paths.ts'

const headers = jsonHeaders()

afterEach(() => {
  vi.useRealTimers()
  // Later files of the same worker would get the modules that hold the fake timers.
  vi.resetModules()
})

type Send = (path: string, init: RequestInit) => Promise<Response>

/** Lists, creates and changes annotations, without advancing a timer. */
async function statuses(send: Send): Promise<number[]> {
  const requests: [path: string, init: RequestInit][] = [
    [annotationsPath, { headers }],
    [annotationsPath, { method: 'POST', headers, body: '{"content":"Made"}' }],
    [`${annotationsPath}9/`, { method: 'PATCH', headers, body: '{"content":"Changed"}' }],
  ]
  const responses: number[] = []
  for (const [path, init] of requests) responses.push((await send(path, init)).status)
  return responses
}

async function overHttp(simulator: Simulator, listenTo: typeof listen): Promise<number[]> {
  const server = await listenTo(simulator)
  try {
    return await statuses((path, init) => fetch(server.url + path, init))
  } finally {
    await server.close()
  }
}

test('fake timers installed before the import block nothing, in-process or over HTTP', async () => {
  vi.useFakeTimers()
  vi.resetModules()
  const { createSimulator: create } = await import('../../../src/simulator/simulator.ts')
  const { listen: listenTo } = await import('../../../src/server/listen.ts')

  const simulator = create()
  expect(create).not.toBe(createSimulator)
  expect(await statuses((path, init) => simulator.fetch(path, init))).toEqual([200, 201, 200])
  expect(vi.getTimerCount()).toBe(0)
  expect(await overHttp(create(), listenTo)).toEqual([200, 201, 200])
})
