import { expect, onTestFinished, test, vi } from 'vitest'
import { drawDelay } from '../../../../src/sandbox/faults/active-rule.ts'
import type { FaultRule } from '../../../../src/sandbox/faults/rule.ts'
import type { SimulatorOptions } from '../../../../src/sandbox/simulator-options.ts'
import type { Simulator } from '../../../../src/simulator.ts'
import { randomFraction } from '../../../../src/utils/seeded-random.ts'

const row = '/api/projects/1/annotations/1/'
const headers = { authorization: 'Bearer phx_all' }

/** A simulator whose code was loaded while fake timers were installed. */
async function startUnderFakeTimers(options: SimulatorOptions = {}): Promise<Simulator> {
  vi.useFakeTimers()
  vi.resetModules()
  onTestFinished(() => {
    vi.useRealTimers()
    vi.resetModules()
  })
  const { createSimulator } = await import('../../../../src/simulator.ts')
  return createSimulator(options)
}

test('under fake timers that were there before the import answers arrive: none waits', async () => {
  const simulator = await startUnderFakeTimers()

  const read = await simulator.fetch(row, { headers })
  simulator.faults.add({ when: { times: 1 }, effect: { cut_bytes: 5 } })
  const cut = await simulator.fetch(row, { headers })

  expect(await read.json()).toMatchObject({ id: 1 })
  await expect(cut.text()).rejects.toThrow(TypeError)
  expect(vi.getTimerCount()).toBe(0)
})

test('latency that was asked for waits for the fake timers that were there before the import', async () => {
  const simulator = await startUnderFakeTimers()
  simulator.faults.add({ effect: { delay_ms: 5_000 } })
  let isAnswered = false

  const given = simulator.fetch(row, { headers }).then((answer) => {
    isAnswered = true
    return answer.status
  })
  await vi.advanceTimersByTimeAsync(4_999)
  expect(isAnswered).toBe(false)
  await vi.advanceTimersByTimeAsync(1)

  expect(await given).toBe(200)
  expect(vi.getTimerCount()).toBe(0)
})

test('a slow body takes as long as its bytes say', async () => {
  const simulator = await startUnderFakeTimers()
  simulator.faults.add({ effect: { slow_bytes_per_s: 100 } })
  const answer = await simulator.fetch(row, { headers })
  const bytes = Number(answer.headers.get('content-length'))
  const began = Date.now()

  const text = answer.text()
  await vi.runAllTimersAsync()

  expect(await text).toHaveLength(bytes)
  // The first tenth of a second's bytes come at once.
  expect(Date.now() - began).toBeGreaterThan(bytes * 10 - 200)
  expect(Date.now() - began).toBeLessThan(bytes * 10 + 200)
})

const waiting: readonly [what: string, rule: FaultRule][] = [
  ['before the commit', { effect: { delay_ms: 60_000 } }],
  ['after the commit', { phase: 'after-commit', effect: { delay_ms: 60_000 } }],
]

test.each(waiting)('a caller who gives up %s frees the timer at once', async (_, rule) => {
  const simulator = await startUnderFakeTimers()
  simulator.faults.add(rule)
  const abort = new AbortController()

  const given = simulator.fetch(row, { headers, signal: abort.signal })
  await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1))
  abort.abort()

  await expect(given).rejects.toMatchObject({ name: 'AbortError' })
  expect(vi.getTimerCount()).toBe(0)
})

test('a caller who gave up before it asked is not waited for', async () => {
  const simulator = await startUnderFakeTimers()
  simulator.faults.add({ effect: { delay_ms: 60_000 } })

  const given = simulator.fetch(row, { headers, signal: AbortSignal.abort() })

  await expect(given).rejects.toMatchObject({ name: 'AbortError' })
  expect(vi.getTimerCount()).toBe(0)
})

const crawling: readonly [what: string, rule: FaultRule][] = [
  ['crawls', { effect: { slow_bytes_per_s: 1 } }],
  ['pauses', { phase: 'mid-body', effect: { delay_ms: 60_000 } }],
]

test.each(crawling)('a body that %s and is read no more frees its timer', async (_, rule) => {
  const simulator = await startUnderFakeTimers()
  simulator.faults.add(rule)
  const answer = await simulator.fetch(row, { headers })
  const reader = answer.body?.getReader()

  await reader?.read()
  const rest = reader?.read()
  await vi.advanceTimersByTimeAsync(1)
  expect(vi.getTimerCount()).toBe(1)
  await reader?.cancel()

  expect(await rest).toEqual({ done: true, value: undefined })
  expect(vi.getTimerCount()).toBe(0)
})

test('delays follow from the seed, to the fraction of a millisecond', async () => {
  const draw = async (seed: number) => {
    const simulator = await startUnderFakeTimers({ seed })
    simulator.faults.add({ effect: { delay_ms: { median: 1_000, p95: 5_000 } } })
    const took: number[] = []
    for (let count = 0; count < 6; count++) {
      const began = performance.now()
      const given = simulator.fetch(row, { headers })
      await vi.runAllTimersAsync()
      await given
      took.push(performance.now() - began)
    }
    return took
  }

  const one = await draw(7)

  expect(await draw(7)).toEqual(one)
  expect(await draw(8)).not.toEqual(one)
  expect(new Set(one).size).toBe(6)
})

const draws = 20_000
const draw = (delay: Parameters<typeof drawDelay>[0]) =>
  Array.from({ length: draws }, (_, count) =>
    drawDelay(delay, [randomFraction(7, 'one', count), randomFraction(7, 'two', count)]),
  ).sort((a, b) => a - b)
const at = (sorted: readonly number[], share: number) => sorted[Math.floor(draws * share)] ?? 0

test('a fixed delay is what it says', () => {
  expect(drawDelay(250, [0.1, 0.9])).toBe(250)
})

test('between two it is spread evenly', () => {
  const drawn = draw({ min: 100, max: 200 })

  expect(drawn[0]).toBeGreaterThanOrEqual(100)
  expect(drawn.at(-1)).toBeLessThan(200)
  expect(at(drawn, 0.25)).toBeCloseTo(125, -1)
  expect(at(drawn, 0.75)).toBeCloseTo(175, -1)
})

test('a distribution of latency has the median and the 95th percentile that were asked for, and a long tail', () => {
  const drawn = draw({ median: 100, p95: 400 })

  expect(Math.abs(at(drawn, 0.5) - 100)).toBeLessThan(5)
  expect(Math.abs(at(drawn, 0.95) - 400)).toBeLessThan(30)
  expect(drawn.at(-1)).toBeGreaterThan(1_000)
  expect(drawn[0]).toBeGreaterThan(0)
})

test('shares follow from seed, name and count', () => {
  expect(randomFraction(7, 'one', 1)).toBe(randomFraction(7, 'one', 1))
  const others = [
    randomFraction(8, 'one', 1),
    randomFraction(7, 'two', 1),
    randomFraction(7, 'one', 2),
  ]
  for (const other of others) expect(other).not.toBe(randomFraction(7, 'one', 1))
})
