import { unexpectedValue } from '../../utils/usage-error.ts'
import { type ClockMode, type ClockSetting, parseClockSetting } from './clock-setting.ts'
import {
  type Duration,
  formatIsoTime,
  isTimeInRange,
  parseTime,
  type Time,
  toMilliseconds,
} from './time.ts'

/** The mode and the time of a clock. */
export interface ClockReading {
  readonly mode: ClockMode
  /** ISO 8601, UTC */
  readonly now: string
}

/**
 * The clock of a world. All times in the world come from it. It never waits.
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
  /** The last formatted time, because many reads fall into one millisecond. */
  #isoCache: { at: number; text: string } = { at: Number.NaN, text: '' }
  /** The captured time of the machine. */
  #capturedNow: number | null = null
  /** Called after the clock was set or advanced. Forks start without a listener. */
  onChange: ((from: ClockReading, to: ClockReading) => void) | null = null

  /** @throws UsageError for an unknown mode or an invalid time */
  constructor(setting: ClockSetting = 'real') {
    if (setting !== 'real') this.set(setting)
  }

  get mode(): ClockMode {
    return this.#mode
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#mode === 'frozen' ? this.#value : this.#machineTime() + this.#value
  }

  /** The time in the format of the service: ISO 8601, UTC, with six digits of fraction or none. */
  iso(): string {
    const now = this.now()
    if (now !== this.#isoCache.at) this.#isoCache = { at: now, text: formatIsoTime(now) }
    return this.#isoCache.text
  }

  /** The mode and the time. */
  read(): ClockReading {
    return { mode: this.#mode, now: this.iso() }
  }

  /**
   * Sets the mode and the time. A time without a mode freezes the clock.
   *
   * @throws UsageError for an unknown mode or an invalid time; then the clock does not change
   * @example clock.set({ mode: 'ticking', time: '2024-06-01T00:00:00Z' })
   */
  set(setting: ClockSetting): void {
    const { mode, time } = parseClockSetting(setting)
    this.#apply(mode, time === undefined ? this.now() : parseTime(time))
  }

  /** Lets the clock run at real speed, from a time or from its current time. @throws UsageError for an invalid time */
  tick(time?: Time): void {
    this.set({ mode: 'ticking', ...(time !== undefined && { time }) })
  }

  /** Freezes the clock at its current time. */
  freeze(): void {
    this.set({ mode: 'frozen' })
  }

  /** Returns to the time of the machine. */
  release(): void {
    this.set('real')
  }

  /**
   * Moves the clock forward, or back by a negative duration. A frozen clock stays frozen. Any other clock is `ticking`
   * afterwards.
   *
   * @throws UsageError for an invalid duration, or a time outside the years 1 to 9999
   */
  advance(duration: Duration): void {
    const length = toMilliseconds(duration)
    const time = this.now() + length
    if (!isTimeInRange(time)) {
      throw unexpectedValue('advance the clock', 'a time from the year 1 to 9999', duration)
    }
    if (length !== 0) this.#apply(this.#mode === 'frozen' ? 'frozen' : 'ticking', time)
  }

  /**
   * Captures the time of the machine until the next capture, so that everything in one request happens at one time.
   * The mode does not change.
   */
  captureNow(): void {
    this.#capturedNow = Date.now()
  }

  /** Creates an independent copy. */
  fork(): Clock {
    const copy = new Clock()
    copy.#mode = this.#mode
    copy.#value = this.#value
    return copy
  }

  #machineTime(): number {
    return this.#capturedNow ?? Date.now()
  }

  #apply(mode: ClockMode, time: number): void {
    const from = this.onChange && this.read()
    this.#mode = mode
    if (mode === 'real') this.#value = 0
    else this.#value = mode === 'frozen' ? time : time - this.#machineTime()
    if (from) this.onChange?.(from, this.read())
  }
}
