import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { createSimulator } from '../../../src/simulator/simulator.ts'
import { noon } from '../../support/api/paths.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(noon) })
  onTestFinished(() => void vi.useRealTimers())
})

function createSandboxes(...seconds: readonly (number | undefined)[]) {
  const simulator = createSimulator({ clock: '2020-01-01T00:00:00Z' })
  for (const ttl_s of seconds) simulator.sandboxes.create(ttl_s === undefined ? {} : { ttl_s })
  const { sandboxes, clock } = simulator
  return { sandboxes, clock, ids: () => sandboxes.list().map(({ id }) => id) }
}

function passSeconds(seconds: number): void {
  vi.setSystemTime(Date.now() + seconds * 1_000)
}

test('sandboxes end one after the other, whatever their order', () => {
  const { ids } = createSandboxes(30, undefined, 10, 20)

  const left = [0, 9.999, 0.001, 10, 9, 1, 1_000_000].map((seconds) => {
    passSeconds(seconds)
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
})

test('the clock of the simulator ends no sandbox, and keeps none', () => {
  const { clock, ids } = createSandboxes(60)
  clock.advance({ days: 1 })

  const early = ids()
  passSeconds(60)
  clock.advance({ days: -2 })

  expect([early, ids()]).toEqual([['sandbox-1'], []])
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
    const { sandboxes } = createSandboxes(1)
    passSeconds(1)
    return use(sandboxes)
  })

  expect(results).toEqual([0, [], undefined, undefined, false, false])
})

test('the time of expiry is exact', () => {
  const { sandboxes } = createSandboxes()
  const expiry = (ttl_s: number) => sandboxes.create({ ttl_s }).expires_at

  expect(expiry(0.5)).toBe('2024-06-15T12:00:00.500000Z')
  expect(expiry(90)).toBe('2024-06-15T12:01:30Z')
  expect(expiry(1e11)).toMatch(/^5193-/)
  for (const invalid of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 1e11 + 1])
    expect
      .soft(() => expiry(invalid))
      .toThrow(
        `Failed to create a sandbox: ttl_s: expected a positive number of seconds, at most 100,000,000,000, got ${invalid}.`,
      )
  expect(sandboxes.create().expires_at).toBeNull()
})
