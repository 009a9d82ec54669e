import { expect, onTestFinished, test, vi } from 'vitest'
import { createSimulator } from '../../../src/simulator/simulator.ts'
import { noon } from '../../support/api/paths.ts'

function createSandboxes(...seconds: readonly (number | undefined)[]) {
  const simulator = createSimulator({ clock: noon })
  for (const ttl_s of seconds) simulator.sandboxes.create(ttl_s === undefined ? {} : { ttl_s })
  const { sandboxes, clock } = simulator
  return { simulator, sandboxes, clock, ids: () => sandboxes.list().map(({ id }) => id) }
}

test('sandboxes end one after the other, whatever their order', () => {
  const { sandboxes, clock, ids } = createSandboxes(30, undefined, 10, 20)

  const left = [0, 9.999, 0.001, 10, 9, 1, 1_000_000].map((seconds) => {
    clock.advance({ milliseconds: seconds * 1_000 })
    return ids().map((id) => id.replace('sandbox-', ''))
  })

  expect(left).toEqual([
    ['1', '2', '3', '4'],
    ['1', '2', '3', '4'],
    ['1', '2', '4'],
    ['1', '2'],
    ['1', '2'],
    ['2'],
    ['2'],
  ])
  sandboxes.create({ ttl_s: 5 })
  clock.advance({ seconds: 5 })
  clock.advance({ seconds: -1 })
  expect(ids()).toEqual(['sandbox-2'])
})

test('of two sandboxes, the one that the time of the machine ends first ends then', () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const { sandboxes, clock, ids } = createSandboxes()
  sandboxes.create({ ttl_s: 60 })
  clock.advance({ hours: 1 })
  sandboxes.create({ ttl_s: 30 })
  clock.advance({ hours: -1 })

  // The first one ended by the clock, which was ahead.
  expect(ids()).toEqual(['sandbox-2'])
  sandboxes.create({ ttl_s: 60 })
  vi.setSystemTime(Date.now() + 30_000)
  expect(ids()).toEqual(['sandbox-3'])
})

test('everything that names a sandbox ends it first if it has expired', () => {
  const uses: ((sandboxes: ReturnType<typeof createSandboxes>['sandboxes']) => unknown)[] = [
    (sandboxes) => sandboxes.count,
    (sandboxes) => sandboxes.list(),
    (sandboxes) => sandboxes.info('sandbox-1'),
    (sandboxes) => sandboxes.get('sandbox-1'),
    (sandboxes) => sandboxes.delete('sandbox-1'),
    (sandboxes) => sandboxes.hasSource('sandbox-1'),
  ]
  const results = uses.map((use) => {
    const { simulator } = createSandboxes(1)
    simulator.clock.advance({ seconds: 1 })
    return use(simulator.sandboxes)
  })

  expect(results).toEqual([0, [], undefined, undefined, false, false])
})

test('the time of expiry is exact, and sandboxes can outlive the clock only until the year 10000', () => {
  const { sandboxes } = createSandboxes()
  const untilYear10000 = (Date.UTC(9999, 11, 31, 23, 59, 59) - Date.parse(noon)) / 1_000
  const expiry = (ttl_s: number) => sandboxes.create({ ttl_s }).expires_at

  expect(expiry(0.5)).toBe('2024-06-15T12:00:00.500000Z')
  expect(expiry(90)).toBe('2024-06-15T12:01:30Z')
  expect(expiry(untilYear10000)).toBe('9999-12-31T23:59:59Z')
  expect(() => expiry(untilYear10000 + 1)).toThrow(
    'Failed to create a sandbox: expected ttl_s to end before the year 10000, got 251683848000.',
  )
  for (const invalid of [0, -1, Number.NaN, Number.POSITIVE_INFINITY])
    expect
      .soft(() => expiry(invalid))
      .toThrow(
        `Failed to create a sandbox: ttl_s: expected a positive number of seconds, got ${invalid}.`,
      )
  expect(sandboxes.create().expires_at).toBeNull()
})
