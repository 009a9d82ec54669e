import { expect, onTestFinished, test, vi } from 'vitest'
import { generate } from '../../../src/factories.ts'
import { createSimulator } from '../../../src/simulator/simulator.ts'
import { UsageError } from '../../../src/utils/errors.ts'
import type { Duration } from '../../../src/world/clock/clock.ts'

test.each([
  ['2024-06-01', '2024-06-01T00:00:00Z'],
  ['2024-06-01T12:00:00', '2024-06-01T12:00:00Z'],
  ['2024-06-01 12:00', '2024-06-01T12:00:00Z'],
  ['2024-06-01T12:00:00+02:00', '2024-06-01T10:00:00Z'],
  ['2024-06-01T12:00:00.123456Z', '2024-06-01T12:00:00.123000Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
  ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59Z'],
])('the clock accepts %s, in any time zone of the machine', (text, iso) => {
  const zone = process.env.TZ
  process.env.TZ = 'Pacific/Chatham'
  try {
    const [{ clock }, { clock: copy }] = [createSimulator(), createSimulator()]
    clock.set(text)
    copy.set(clock.read())
    expect([clock.iso(), copy.iso()]).toEqual([iso, iso])
  } finally {
    if (zone === undefined) Reflect.deleteProperty(process.env, 'TZ')
    else process.env.TZ = zone
  }
})

test.each([
  ['', '""'],
  ['now', '"now"'],
  ['June 1, 2024', '"June 1, 2024"'],
  ['2024-02-30', '"2024-02-30"'],
  ['2024-13-01', '"2024-13-01"'],
  ['10000-01-01', '"10000-01-01"'],
  [5, '5'],
  [null, 'null'],
  [undefined, 'nothing'],
  [{}, '{}'],
  [{ mode: 'frozen', now: null }, 'null'],
  [new Date('x'), 'Invalid Date'],
])('the clock refuses %j as a time, and does not change', (time, got) => {
  const { clock } = createSimulator({ clock: '2024-06-01T00:00:00Z' })

  expect(() => clock.set(time as string)).toThrow(UsageError)
  expect(() => clock.set(time as string)).toThrow(
    `Failed to set the clock.\n  now: expected an ISO 8601 time such as 2024-06-01T00:00:00Z, got ${got}`,
  )
  expect(clock.iso()).toBe('2024-06-01T00:00:00Z')
})

test('the units of a duration add up, and can be negative', () => {
  const { clock } = createSimulator({ clock: '2024-06-01T00:00:00Z' })
  clock.advance({ days: 1, hours: -1, seconds: 5 })
  expect(clock.iso()).toBe('2024-06-01T23:00:05Z')
  clock.advance({ days: -1, hours: undefined })
  expect(clock.iso()).toBe('2024-05-31T23:00:05Z')
})

test.each([
  [{ weeks: 1 }, 'weeks: unknown field. Allowed: milliseconds, seconds, minutes, hours, days'],
  [{ hour: 1 }, 'hour: unknown field. Did you mean "hours"?'],
  [{ hours: '1' }, 'hours: expected number, got "1"'],
  [{ hours: Number.NaN }, 'hours: expected number, got NaN'],
  [1000, 'expected a duration such as { minutes: 5 }, got 1000'],
  [null, 'expected a duration such as { minutes: 5 }, got null'],
  ['1h', 'expected a duration such as { minutes: 5 }, got "1h"'],
])('the clock refuses %j as a duration, and does not change', (duration, issue) => {
  const { clock } = createSimulator({ clock: '2024-06-01T00:00:00Z' })

  expect(() => clock.advance(duration as Duration)).toThrow(
    `Failed to advance the clock.\n  ${issue}`,
  )
  expect(clock.iso()).toBe('2024-06-01T00:00:00Z')
})

test.each([
  ['2024-06-01T00:00:00Z', { days: 1e9 }],
  ['2024-06-01T00:00:00Z', { days: -1e9 }],
  ['2024-06-01T00:00:00Z', { hours: 1e300 }],
  ['9999-12-31T12:00:00Z', { hours: 12 }],
  ['0001-01-01T12:00:00Z', { hours: -13 }],
] as const)(
  'from %s the clock refuses to advance by %j beyond the years 1 to 9999, and does not change',
  (start, duration) => {
    const { clock } = createSimulator({ clock: start })

    expect(() => clock.advance(duration)).toThrow(
      `Failed to advance the clock: expected a time from the year 1 to 9999, got ${JSON.stringify(duration)}.`,
    )
    expect(clock.iso()).toBe(start)
  },
)

test.each([998, 999, 1_000, 5_000])(
  'a running clock stops at the end of the year 9999, %i ms after its last second began',
  async (elapsed) => {
    vi.useFakeTimers({ now: 0, toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const simulator = createSimulator({ clock: { mode: 'ticking', now: '9999-12-31T23:59:59Z' } })

    vi.setSystemTime(elapsed)
    simulator.world.annotations.add({})
    const saved = simulator.world.toJSON()

    const fraction = Math.min(elapsed, 999)
    expect(simulator.clock.iso()).toBe(`9999-12-31T23:59:59.${fraction}000Z`)
    expect(createSimulator({ world: saved }).world.toJSON()).toEqual(saved)
    const grown = generate({ ...saved, now: simulator.clock.iso(), generate: { annotations: 2 } })
    expect(createSimulator({ world: grown }).world.annotations.count).toBe(11)
  },
)
