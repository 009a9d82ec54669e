import { expect, onTestFinished, test, vi } from 'vitest'
import { createSimulator } from '../../../src/simulator/simulator.ts'
import { Clock } from '../../../src/world/clock/clock.ts'
import { noon } from '../../support/api/paths.ts'

const june = '2024-06-01T00:00:00Z'
const addDay = (clock: Clock) => clock.advance({ days: 1 })

/** Changes, and what the clock reads a second after the last one. A second is between them. */
test.each<[option: string, reading: string, ...changes: ((clock: Clock) => void)[]]>([
  [noon, `frozen ${june}`, (clock) => clock.set(june)],
  [noon, 'frozen 2024-06-15T13:00:00Z', (clock) => clock.advance({ hours: 1 })],
  [noon, 'ticking 2024-06-01T00:00:01Z', (clock) => clock.tick(june)],
  [june, 'ticking 2024-06-02T00:00:02Z', (clock) => clock.tick(), addDay],
  [noon, 'frozen 2024-06-15T12:00:01Z', (clock) => clock.tick(), (clock) => clock.freeze()],
  [noon, 'real 2025-01-01T00:00:01Z', (clock) => clock.release()],
  ['real', 'real 2025-01-01T00:00:01Z', (clock) => clock.advance({})],
  ['real', 'ticking 2025-01-02T00:00:01Z', addDay],
])('a clock of %s is %s after changes', (option, reading, ...changes) => {
  vi.useFakeTimers({ now: Date.parse('2025-01-01T00:00:00Z'), toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const { clock } = createSimulator({ clock: option })

  for (const change of changes) {
    change(clock)
    vi.setSystemTime(Date.now() + 1_000)
  }

  expect(`${clock.mode} ${clock.iso()}`).toBe(reading)
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
  expect(() => modeOf({ now: '2024-01-01' })).toThrow(/clock.mode: .*, got nothing/)
  expect(() => modeOf({ mode: 'frozen', time: '2024' })).toThrow(
    'Failed to create a simulator: clock.time: unknown field. Allowed: mode, now.',
  )
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
