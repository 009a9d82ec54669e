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

/** What a clock shows. */
export interface ClockReading {
  readonly mode: ClockMode
  /** ISO 8601, UTC */
  readonly now: string
}

/**
 * The clock of a world: whatever has a time there takes it from here. It waits for nothing, whatever its mode.
 *
 * @example
 * clock.set('2024-06-01T00:00:00Z')
 * clock.advance({ hours: 1 }) // frozen at 2024-06-01T01:00:00Z
 * clock.tick() // and runs on from there
 */
export class Clock {
  #mode: ClockMode = 'real'
  /** Milliseconds: the time where it is frozen, else how far it is ahead of the real time. */
  #at = 0
  /** The time as it was last written: many things happen in one millisecond. */
  #isoCache: { at: number; text: string } = { at: Number.NaN, text: '' }
  /** What the machine showed when the clock was held. */
  #capturedNow: number | null = null
  /** Told when it is set or moved: what it showed before, and what it shows. Forks have none. */
  onChange: ((from: ClockReading, to: ClockReading) => void) | null = null

  /** @throws UsageError for an unknown mode, or what is no time */
  constructor(setting: ClockSetting = 'real') {
    if (setting !== 'real') this.set(setting)
  }

  get mode(): ClockMode {
    return this.#mode
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#mode === 'frozen' ? this.#at : this.#machineTime() + this.#at
  }

  /** The time as the service writes it: ISO 8601, UTC, six digits of fraction or none. */
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
   * Stands still at a time, unless a mode says otherwise.
   *
   * @throws UsageError for an unknown mode, or what is no time; the clock stays as it was
   * @example clock.set({ mode: 'ticking', time: '2024-06-01T00:00:00Z' })
   */
  set(setting: ClockSetting): void {
    const { mode, time } = parseClockSetting(setting)
    this.#apply(mode, time === undefined ? this.now() : parseTime(time))
  }

  /** Runs at real speed, from a time or from where it is. @throws UsageError for what is no time */
  tick(time?: Time): void {
    this.set({ mode: 'ticking', ...(time !== undefined && { time }) })
  }

  /** Stands still at the time it has. */
  freeze(): void {
    this.set({ mode: 'frozen' })
  }

  /** Runs with the real time again. */
  release(): void {
    this.set('real')
  }

  /**
   * Moves on, or back: a frozen clock stays frozen, a running one runs on from there (the real one is then
   * `ticking`, since it has another time than the machine).
   *
   * @throws UsageError for what is no duration, or leads out of the years 1 to 9999
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
   * Shows what the machine shows now until it is held again: so all that is done for one request is done at one
   * time, which a recording can tell. The mode stays what it is.
   */
  captureNow(): void {
    this.#capturedNow = Date.now()
  }

  /** Another clock that shows the same, and goes its own way from here on. */
  fork(): Clock {
    const copy = new Clock()
    copy.#mode = this.#mode
    copy.#at = this.#at
    return copy
  }

  #machineTime(): number {
    return this.#capturedNow ?? Date.now()
  }

  #apply(mode: ClockMode, time: number): void {
    const from = this.onChange && this.read()
    this.#mode = mode
    if (mode === 'real') this.#at = 0
    else this.#at = mode === 'frozen' ? time : time - this.#machineTime()
    if (from) this.onChange?.(from, this.read())
  }
}
