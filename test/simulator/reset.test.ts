import { expect, test, vi } from 'vitest'
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts'
import { authorization } from '../support/api/headers.ts'
import { annotationsPath } from '../support/api/paths.ts'
import { spendRequests } from '../support/api/rate-limit.ts'

const clock = '2024-06-15T12:00:00Z'

/** Changes every part of a simulator. */
async function changeEverything(simulator: Simulator): Promise<void> {
  simulator.world.annotations.add({ content: 'Launch' })
  simulator.keys.revoke('phx_all')
  simulator.settings.set({ 'annotations.delete.status': 404 })
  simulator.clock.tick('2030-01-01T00:00:00Z')
  simulator.faults.add({ effect: { status: 503 } })
  await simulator.fetch(annotationsPath, { headers: authorization('phx_annotations') })
}

/** Which parts of a simulator differ from those that it started with. */
function changedParts({ world, keys, settings, clock, faults }: Simulator): string[] {
  const isChanged = {
    rows: world.annotations.count !== 8,
    keys: !keys.list().some(({ value }) => value === 'phx_all'),
    settings: settings.get('annotations.delete.status') !== '405',
    clock: clock.mode !== 'frozen' || clock.iso() !== '2024-06-15T12:00:00Z',
    faults: faults.list().length > 0,
  }
  return Object.entries(isChanged).flatMap(([part, changed]) => (changed ? [part] : []))
}

const settings = { 'annotations.delete.status': '405' } as const

test('reset restores rows, keys, settings, clock and faults', async () => {
  const simulator = createSimulator({ clock, settings })
  simulator.sandboxes.create()
  await changeEverything(simulator)
  expect(changedParts(simulator)).toHaveLength(5)

  simulator.reset()

  expect(changedParts(simulator)).toEqual([])
  expect(simulator.journal.find()).toHaveLength(1)
  expect(simulator.sandboxes.count).toBe(1)
})

test.each([
  [['rows'], ['settings', 'clock', 'faults']],
  [['settings'], ['rows', 'keys', 'clock', 'faults']],
  [['clock'], ['rows', 'keys', 'settings', 'faults']],
  [['faults'], ['rows', 'keys', 'settings', 'clock']],
  [
    ['faults', 'rows'],
    ['settings', 'clock'],
  ],
  [[], ['rows', 'keys', 'settings', 'clock', 'faults']],
] as const)('reset of only %j leaves the rest as it is', async (only, changed) => {
  const simulator = createSimulator({ clock, settings })
  await changeEverything(simulator)

  simulator.reset({ only })

  expect(changedParts(simulator)).toEqual(changed)
})

test('a clock returns to the mode and the time that it was created with', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2025-01-01T00:00:00Z') })
  const simulator = createSimulator({ clock: { mode: 'ticking', now: '2024-02-29T12:00:00Z' } })
  const real = createSimulator()
  vi.setSystemTime('2025-01-01T01:00:00Z')
  const fork = simulator.fork()
  simulator.clock.advance({ days: 1 })
  real.clock.set('2024-06-01T00:00:00Z')
  fork.clock.freeze()

  for (const world of [simulator, real, fork]) world.reset()

  expect([simulator, real, fork].map((world) => world.clock.read())).toEqual([
    { mode: 'ticking', now: '2024-02-29T12:00:00Z' },
    { mode: 'real', now: '2025-01-01T01:00:00Z' },
    { mode: 'ticking', now: '2024-02-29T13:00:00Z' },
  ])
  vi.useRealTimers()
})

test('a sandbox returns to the settings and the clock that it was created with', () => {
  const simulator = createSimulator({ clock })
  simulator.settings.set({ 'annotations.delete.status': 404 })
  const { id } = simulator.sandboxes.create({ from: 'current', clock: '2023-01-01T00:00:00Z' })
  const sandbox = simulator.sandboxes.get(id) as Simulator
  sandbox.settings.set({ 'annotations.delete.status': 403 })
  sandbox.clock.release()

  sandbox.reset()

  expect(sandbox.settings.get('annotations.delete.status')).toBe('404')
  expect(sandbox.clock.read()).toEqual({ mode: 'frozen', now: '2023-01-01T00:00:00Z' })
})

test('reset restarts the rate limit of a key', async () => {
  const simulator = createSimulator({ clock, settings: { 'limits.rate': '480_per_minute' } })
  const status = async () =>
    (await simulator.fetch(annotationsPath, { headers: authorization() })).status
  spendRequests(simulator)

  const tooMany = await status()
  simulator.reset()

  expect([tooMany, await status()]).toEqual([429, 200])
})
