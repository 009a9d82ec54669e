import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import type { FaultEffect, FaultRule } from '../../../src/simulator/faults/fault.ts'
import type * as simulatorModule from '../../../src/simulator/simulator.ts'
import { authorization } from '../../support/api/headers.ts'
import { annotationsPath, annotationPath as row } from '../../support/api/paths.ts'
import { initOf } from '../../support/transports/client.ts'

const headers = authorization()

// The code is loaded while fake timers are installed, so they control injected latency.
let createSimulator: typeof simulatorModule.createSimulator
beforeAll(async () => {
  vi.useFakeTimers()
  vi.resetModules()
  const imported = await import('../../../src/simulator/simulator.ts')
  createSimulator = imported.createSimulator
})
afterEach(() => vi.clearAllTimers())
afterAll(() => {
  vi.useRealTimers()
  vi.resetModules()
})

test('with fake timers from before the import, responses without latency arrive', async () => {
  const simulator = createSimulator()

  const read = await simulator.fetch(row, { headers })
  simulator.faults.add({ when: { times: 1 }, effect: { cut_bytes: 5 } })
  const cut = await simulator.fetch(row, { headers })

  expect(await read.json()).toMatchObject({ id: 1 })
  await expect(cut.text()).rejects.toThrow(TypeError)
  expect(vi.getTimerCount()).toBe(0)
})

test.each<[effect: FaultEffect, ms: number]>([
  [{ delay_ms: 5_000 }, 5_000],
  [{ hold: true }, 30_000],
  [{ stall_bytes: 0 }, 30_000],
])('with fake timers from before the import, %j waits for them: %i ms', async (effect, ms) => {
  const simulator = createSimulator()
  simulator.faults.add({ effect })
  let hasResponse = false

  const pending = simulator.fetch(row, { headers }).then(async (response) => {
    hasResponse = Boolean(await response.text())
    return response.status
  })
  await vi.advanceTimersByTimeAsync(ms - 1)
  expect(hasResponse).toBe(false)
  expect(simulator.faults.list()).toMatchObject([{ waiting: [{}] }])
  await vi.advanceTimersByTimeAsync(1)

  expect(await pending).toBe(200)
  expect(vi.getTimerCount()).toBe(0)
})

test('any effect can have a latency', async () => {
  const simulator = createSimulator()
  const delay_ms = 40_000
  simulator.faults.add({ operation: 'listAnnotations', effect: { drop: true, delay_ms } })
  simulator.faults.add({ operation: 'retrieveAnnotation', effect: { status: 503, delay_ms } })
  const ended: unknown[] = []

  for (const path of [annotationsPath, row]) {
    void simulator.fetch(path, { headers }).then(
      ({ status }) => ended.push(status),
      ({ message }) => ended.push(message),
    )
  }
  await expect.poll(() => vi.getTimerCount()).toBe(2)
  await vi.advanceTimersByTimeAsync(39_000)
  const early = ended.length
  await vi.advanceTimersByTimeAsync(1_000)

  expect([early, ended.sort()]).toEqual([0, [503, 'Failed to fetch']])
})

test.each<[what: string, rule: FaultRule, timers: number]>([
  ['before the commit', { phase: 'before', effect: { delay_ms: 60_000 } }, 1],
  ['after the commit', { effect: { delay_ms: 60_000 } }, 1],
  ['before it was sent', { effect: { delay_ms: 60_000 } }, 0],
])('a request that is aborted %s frees the timer at once', async (_, rule, timers) => {
  const simulator = createSimulator()
  simulator.faults.add(rule)
  const abort = new AbortController()

  const reason = new Error('No longer needed')

  if (timers === 0) abort.abort(reason)
  const pending = simulator.fetch(row, { headers, signal: abort.signal })
  await expect.poll(() => vi.getTimerCount()).toBe(timers)
  abort.abort(reason)

  await expect(pending).rejects.toBe(reason)
  expect(vi.getTimerCount()).toBe(0)
})

type Simulator = simulatorModule.Simulator

/** Sends a JSON body. Returns the status and the body of the response. */
async function send(simulator: Simulator, method: string, path: string, body: object) {
  const response = await simulator.fetch(path, initOf(method, { body }))
  return { status: response.status, body: await response.json() }
}

test('a delayed request lets others pass, and its entry has its own settings, changes and duration', async () => {
  const simulator = createSimulator()
  const effect = { delay_ms: 200 }
  simulator.faults.add({ operation: 'createAnnotation', effect })

  const delayed = send(simulator, 'POST', annotationsPath, { content: 'Slow' })
  await expect.poll(() => vi.getTimerCount()).toBe(1)
  await send(simulator, 'PATCH', row, { content: 'Quick' })
  await simulator.fetch(row)
  await vi.advanceTimersByTimeAsync(200)
  await delayed

  const [slow, quick, refused] = simulator.journal.find()
  expect(slow).toMatchObject({
    id: 1,
    operation: 'createAnnotation',
    fault: { id: 'fault-1', phase: 'after-commit', effect },
    changes: [{ id: 9, kind: 'created' }],
  })
  expect(quick).toMatchObject({ id: 2, fault: null, changes: [{ id: 1, kind: 'changed' }] })
  expect(refused).toMatchObject({ id: 3, response: { status: 401 }, changes: [] })
  expect(refused?.settings.map(({ id }) => id)).not.toContain('limits.body')
  expect(slow?.ms).toBeGreaterThanOrEqual(200)
})
