import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type * as simulatorModule from '../../../src/simulator.ts'
import { authorization } from '../../support/api/headers.ts'
import { annotationsPath } from '../../support/api/paths.ts'

const row = `${annotationsPath}1/`
const headers = authorization()

// The code is loaded while fake timers are installed, so they control how long a request is held.
let createSimulator: typeof simulatorModule.createSimulator
beforeAll(async () => {
  vi.useFakeTimers()
  vi.resetModules()
  const imported = await import('../../../src/simulator.ts')
  createSimulator = imported.createSimulator
})
afterEach(() => vi.clearAllTimers())
afterAll(() => {
  vi.useRealTimers()
  vi.resetModules()
})

test('a request is held for 30 seconds, unless its breakpoint says otherwise', async () => {
  const { breakpoints, fetch } = bind(createSimulator())
  const next = breakpoints.next()

  const pending = fetch(row, { headers })
  const held = await next
  await vi.advanceTimersByTimeAsync(29_999)
  const remaining = [held.remaining_ms, breakpoints.held().length]
  await vi.advanceTimersByTimeAsync(1)

  expect(remaining).toEqual([1, 1])
  expect((await pending).status).toBe(200)
  expect([held.remaining_ms, breakpoints.held().length]).toEqual([0, 0])
})

test('a held request that goes on, or whose client disconnects, frees its timer', async () => {
  const { breakpoints, fetch } = bind(createSimulator())
  const holds = [breakpoints.next(), breakpoints.next()]
  const abort = new AbortController()

  const [first, second] = [
    fetch(row, { headers }),
    fetch(row, { headers, signal: abort.signal }).catch(() => 'aborted'),
  ]
  const [held] = await Promise.all(holds)
  const timers = vi.getTimerCount()
  held?.continue()
  abort.abort()

  expect([(await first).status, await second]).toEqual([200, 'aborted'])
  expect([timers, vi.getTimerCount()]).toEqual([2, 0])
})

function bind(simulator: simulatorModule.Simulator) {
  return { breakpoints: simulator.breakpoints, fetch: simulator.fetch.bind(simulator) }
}
