import * as z from 'zod'
import { unexpectedValue } from '../../utils/errors.ts'
import { isObject } from '../../utils/json.ts'
import { isDate } from '../../utils/kinds.ts'
import { parseDateTime } from '../../utils/python.ts'
import { parseOptions } from '../../utils/schema-issues.ts'

/** The mode and the time of a clock. */
export interface ClockReading {
  readonly mode: ClockMode
  /** ISO 8601, UTC */
  readonly now: string
}

interface ClockObserver {
  /** Called after the clock was set or advanced. */
  noteClockChange(from: ClockReading, to: ClockReading): void
}

interface ClockState {
  readonly mode: ClockMode
  /** Milliseconds since 1970 */
  readonly now: number
}

/**
 * The clock of a world. Its requests and new rows have its time. It never waits.
 *
 * @example
 * clock.set('2024-06-01T00:00:00Z')
 * clock.advance({ hours: 1 }) // frozen at 2024-06-01T01:00:00Z
 * clock.tick() // runs from there
 */
export class Clock {
  #mode: ClockMode = 'real'
  /** Milliseconds: the time of a frozen clock, else the offset from the time of the machine. */
  #value = 0
  #initial: ClockState
  /** The time that was formatted last: many requests come in the same millisecond. */
  #formatted = { time: Number.NaN, text: '' }
  #observer: ClockObserver | null = null

  /** @throws UsageError for an unknown mode or an invalid time @internal */
  constructor(value: ClockSetting = 'real') {
    this.set(value)
    this.#initial = { mode: this.#mode, now: this.now() }
  }

  get mode(): ClockMode {
    return this.#mode
  }

  /** Milliseconds since 1970. A running clock stops at the end of the year 9999. */
  now(): number {
    return this.#timeAt(Date.now())
  }

  /** @param machine the time of the machine */
  #timeAt(machine: number) {
    if (this.#mode === 'frozen') return this.#value
    return Math.min(machine + this.#value, endOfTime - 1)
  }

  /** The time in the format of the service: ISO 8601, UTC, with six digits of fraction or none. */
  iso(): string {
    const time = this.now()
    if (time !== this.#formatted.time) this.#formatted = { time, text: formatIsoTime(time) }
    return this.#formatted.text
  }

  /** The mode and the time. */
  read(): ClockReading {
    return { mode: this.#mode, now: this.iso() }
  }

  /**
   * Sets the mode and the time. A time alone, a text or a Date, freezes the clock.
   *
   * @throws UsageError for an unknown mode or an invalid time; then the clock does not change
   * @example clock.set({ mode: 'ticking', now: '2024-06-01T00:00:00Z' })
   * @example clock.set(otherClock.read())
   */
  set(value: ClockSetting): void {
    const { mode, time } = parseClockSetting(value)
    const machine = Date.now()
    this.#apply(mode, this.#valueOf(mode, time, machine), machine)
  }

  /** Lets the clock run at real speed, from a time or from its current time. @throws UsageError for an invalid time */
  tick(now?: Time): void {
    this.set({ mode: 'ticking', ...(now !== undefined && { now }) })
  }

  /** Freezes the clock at its current time. */
  freeze(): void {
    this.set({ mode: 'frozen' })
  }

  /** Returns to the time of the machine. */
  release(): void {
    this.set('real')
  }

  /** Returns to the mode and the time that it was created with. */
  reset(): void {
    const { mode, now } = this.#initial
    const machine = Date.now()
    const isSame = mode === this.#mode && (mode === 'real' || now === this.#timeAt(machine))
    if (!isSame) this.#apply(mode, this.#valueOf(mode, now, machine), machine)
  }

  /**
   * Moves the clock forward, or back by a negative duration. A frozen clock stays frozen. A real one is `ticking`
   * afterwards, unless the duration is 0.
   *
   * @throws UsageError for an invalid duration, or a time outside the years 1 to 9999
   */
  advance(duration: Duration): void {
    const length = toMilliseconds(duration)
    if (!isTimeInRange(this.now() + length)) {
      throw unexpectedValue('advance the clock', 'a time from the year 1 to 9999', duration)
    }
    const mode = this.#mode === 'frozen' ? 'frozen' : 'ticking'
    if (length !== 0) this.#apply(mode, this.#value + length, Date.now())
  }

  /** Tells an observer of each change. A clock has one observer, and copies start without. @internal */
  follow(observer: ClockObserver): void {
    this.#observer = observer
  }

  /** Continues as another clock does, also after a reset. @internal */
  startLike(other: Clock): void {
    this.set(other.read())
    this.#initial = { mode: this.#mode, now: this.now() }
  }

  /** Creates an independent copy. @internal */
  fork(): Clock {
    return new Clock(this.read())
  }

  /** Creates an independent clock with the mode and the time that this one was created with. @internal */
  forkInitial(): Clock {
    const { mode, now } = this.#initial
    return new Clock({ mode, now: formatIsoTime(now) })
  }

  /** A clock that runs on keeps its offset: two readings of the machine's time can differ by a millisecond. */
  #valueOf(mode: ClockMode, time: number | undefined, machine: number) {
    if (mode === 'real') return 0
    if (mode === 'frozen') return time ?? this.#timeAt(machine)
    if (time === undefined && this.#mode !== 'frozen') return this.#value
    return (time ?? this.#value) - machine
  }

  /** @param machine the time of the machine at the change: at a later one, a clock that runs shows another time */
  #apply(mode: ClockMode, value: number, machine: number) {
    const read = (): ClockReading => {
      return { mode: this.#mode, now: formatIsoTime(this.#timeAt(machine)) }
    }
    const from = this.#observer && read()
    this.#mode = mode
    this.#value = value
    if (from) this.#observer?.noteClockChange(from, read())
  }
}

/**
 * How a clock runs. `real`: with the time of the machine. `frozen`: at one moment. `ticking`: at real speed, from
 * another moment.
 */
type ClockMode = 'real' | 'frozen' | 'ticking'

/** `real`, a time to freeze at, or a mode with its time, as `read()` returns it. */
export type ClockSetting = 'real' | Time | ClockModeAndTime

const momentSchema = z.custom<Time>((time) => isTimeInRange(toTime(time)), {
  error: 'expected an ISO 8601 time such as 2024-06-01T00:00:00Z',
})

const clockSchema = z.strictObject({
  mode: z.enum(['real', 'frozen', 'ticking'] satisfies ClockMode[]),
  now: momentSchema.exactOptional(),
})

/** A mode, and the time to freeze at or to tick from; default: the current time of the clock. */
export interface ClockModeAndTime extends z.infer<typeof clockSchema> {}

/**
 * Parses a value into a mode and a time, in milliseconds since 1970. Without a time it is the current one of the clock.
 *
 * @throws UsageError for an unknown mode or field, and for an invalid time
 */
function parseClockSetting(value: ClockSetting): { mode: ClockMode; time: number | undefined } {
  if (value === 'real') return { mode: 'real', time: undefined }
  const isSetting = isObject(value) && ('mode' in value || 'now' in value)
  const setting = isSetting ? value : { mode: 'frozen', now: value }
  const { mode, now } = parseOptions(clockSchema, setting as never, 'set the clock')
  return { mode, time: now === undefined ? undefined : toTime(now) }
}

/** A time: ISO 8601 in any format that the service accepts, or a Date. */
export type Time = string | Date

/** A time in milliseconds since 1970. Without a zone it is UTC. NaN for anything that is no time. */
function toTime(time: unknown) {
  return isDate(time) ? time.getTime() : Date.parse(parseDateTime(String(time)))
}

const endOfTime = Date.parse('+010000-01-01T00:00:00Z')

/** Whether a time is in the years 1 to 9999, which the service can format. False for NaN. */
export function isTimeInRange(milliseconds: number): boolean {
  return milliseconds >= Date.parse('0001-01-01T00:00:00Z') && milliseconds < endOfTime
}

/** Formats a time like the service: ISO 8601, UTC, with six digits of fraction or none. */
export function formatIsoTime(milliseconds: number): string {
  const text = new Date(milliseconds).toISOString()
  return text.endsWith('.000Z') ? text.replace('.000Z', 'Z') : text.replace('Z', '000Z')
}

/** A duration: the sum of its units. */
export interface Duration {
  readonly milliseconds?: number | undefined
  readonly seconds?: number | undefined
  readonly minutes?: number | undefined
  readonly hours?: number | undefined
  readonly days?: number | undefined
}

const units: Record<keyof Duration, number> = {
  milliseconds: 1,
  seconds: 1_000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
}

const count = z.number().optional()
export const durationSchema: z.ZodType<Duration> = z.strictObject(
  { milliseconds: count, seconds: count, minutes: count, hours: count, days: count },
  {
    error: ({ code }) =>
      code === 'invalid_type' ? 'expected a duration such as { minutes: 5 }' : undefined,
  },
)

/** Converts a duration to milliseconds. @throws UsageError with an issue for each invalid unit */
function toMilliseconds(duration: Duration) {
  const counts = Object.entries(parseOptions(durationSchema, duration, 'advance the clock'))
  return counts.reduce(
    (sum, [unit, value]) => sum + (value ?? 0) * units[unit as keyof Duration],
    0,
  )
}
