import { expect, test, vi } from 'vitest'
import { createSimulator } from '../../../src/simulator/simulator.ts'
import { Clock } from '../../../src/world/clock/clock.ts'
import { annotationsPath, noon } from '../../support/api/paths.ts'
import { start } from '../../support/transports/start.ts'

/** Lets real time pass without timers. */
function waitBusily(milliseconds: number): void {
  const until = Date.now() + milliseconds
  while (Date.now() < until);
}

test('a frozen clock does not move until it is set or advanced', () => {
  const { clock } = createSimulator({ clock: noon })

  clock.set('2024-06-01T00:00:00Z')
  waitBusily(3)
  expect(clock.read()).toEqual({ mode: 'frozen', now: '2024-06-01T00:00:00Z' })
  clock.advance({ hours: 1 })
  expect(clock.read()).toEqual({ mode: 'frozen', now: '2024-06-01T01:00:00Z' })
})

test('a ticking clock starts at a time and runs at real speed', () => {
  const { clock } = createSimulator({ clock: noon })
  const start2024 = Date.parse('2024-06-01T00:00:00Z')

  const startedAt = Date.now()
  clock.tick('2024-06-01T00:00:00Z')
  waitBusily(5)
  const ran = clock.now() - start2024
  clock.advance({ days: 1 })
  const later = clock.now() - start2024
  const duration = Date.now() - startedAt + 1

  expect(clock.mode).toBe('ticking')
  expect(ran).toBeGreaterThanOrEqual(5)
  expect(ran).toBeLessThanOrEqual(duration)
  expect(later).toBeGreaterThanOrEqual(86_400_005)
  expect(later).toBeLessThanOrEqual(86_400_000 + duration)
})

test('freeze and tick keep the current time, and release returns to real time', () => {
  const { clock } = createSimulator({ clock: noon })

  clock.tick()
  waitBusily(2)
  clock.freeze()
  const frozen = clock.now()
  waitBusily(2)
  expect([clock.mode, clock.now()]).toEqual(['frozen', frozen])
  expect(frozen).toBeGreaterThan(Date.parse(noon))
  expect(frozen).toBeLessThan(Date.parse('2024-06-15T13:00:00Z'))
  clock.release()
  expect(clock.mode).toBe('real')
  const times = [Date.now(), clock.now(), Date.now()]
  expect(times).toEqual(times.toSorted())
})

test('a real clock ticks after an advance, and stays real after an empty advance', () => {
  const { clock } = createSimulator({ clock: 'real' })

  clock.advance({})
  expect(clock.mode).toBe('real')
  clock.advance({ days: 1 })
  waitBusily(2)
  expect(clock.mode).toBe('ticking')
  const times = [Date.now(), clock.now() - 86_400_000, Date.now()]
  expect(times).toEqual(times.toSorted())
})

test('the clock option accepts every mode', () => {
  const modeOf = (clock: unknown) => createSimulator({ clock: clock as never }).clock.mode

  expect(modeOf('real')).toBe('real')
  expect(modeOf('2024-01-01')).toBe('frozen')
  expect(modeOf(new Date(0))).toBe('frozen')
  expect(modeOf({ mode: 'frozen' })).toBe('frozen')
  expect(modeOf({ mode: 'ticking', now: '2024-01-01' })).toBe('ticking')
  expect(() => modeOf({ mode: 'tikcing' })).toThrow(
    'Failed to create a simulator: clock.mode: expected one of "real", "frozen", "ticking", got "tikcing". Did you mean "ticking"?',
  )
  expect(() => modeOf({ mode: 'frozen', time: '2024' })).toThrow(
    'Failed to create a simulator: clock.time: unknown field. Allowed: mode, now.',
  )
})

test('the journal, snapshots and sandboxes use the time of the clock', async () => {
  const { ask, simulator } = await start()
  simulator.clock.set('2030-01-01T00:00:00Z')

  await ask('GET', annotationsPath)

  expect(simulator.journal.find()).toMatchObject([{ at: '2030-01-01T00:00:00Z' }])
  expect(simulator.snapshots.save('now').saved_at).toBe('2030-01-01T00:00:00Z')
  expect(simulator.sandboxes.create({ ttl_s: 1 }).expires_at).toBe('2030-01-01T00:00:01Z')
})

test('a change to a running clock is that of one moment, however long it takes', () => {
  let now = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => (now += 1))
  const clock = new Clock('2024-06-01T00:00:00Z')
  const changes: string[] = []
  clock.follow({ noteClockChange: (_, to) => changes.push(to.now) })

  clock.tick('2025-01-01T00:00:00Z')
  clock.set({ mode: 'ticking', now: '2026-01-01T00:00:00Z' })

  expect(changes).toEqual(['2025-01-01T00:00:00Z', '2026-01-01T00:00:00Z'])
})
