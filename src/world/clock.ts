import { parseDateTime } from '../python/datetime.ts'
import { unexpected } from '../usage-error.ts'

/** A length of time, in the units given; they add up. */
export interface Duration {
  readonly milliseconds?: number
  readonly seconds?: number
  readonly minutes?: number
  readonly hours?: number
  readonly days?: number
}

const units = {
  milliseconds: 1,
  seconds: 1_000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
}

/**
 * The clock of a world: real until it is set, then standing still until it is set or advanced again.
 *
 * @example
 * clock.set('2024-06-01T00:00:00Z')
 * clock.advance({ hours: 1 }) // 2024-06-01T01:00:00Z
 */
export class Clock {
  #stoppedAt: number | null

  /** @param stoppedAt milliseconds since 1970; null for the real time */
  constructor(stoppedAt: number | null = null) {
    this.#stoppedAt = stoppedAt
  }

  /** Milliseconds since 1970. */
  now(): number {
    return this.#stoppedAt ?? Date.now()
  }

  /** The time as the service writes it: ISO 8601, UTC, six digits of fraction or none. */
  iso(): string {
    return toIso(this.now())
  }

  /** @throws UsageError for what is no time */
  set(time: string | Date): void {
    this.#stoppedAt = toTime(time)
  }

  /**
   * Stands still at the time it has, and moves on from there.
   *
   * @throws UsageError for what is no duration, or leads out of the years 1 to 9999
   */
  advance(duration: Duration): void {
    const time = this.now() + lengthOf(duration)
    if (!isInRange(time)) {
      throw unexpected('advance the clock', 'a time from the year 1 to 9999', duration)
    }
    this.#stoppedAt = time
  }

  /** Runs with the real time again. */
  release(): void {
    this.#stoppedAt = null
  }

  fork(): Clock {
    return new Clock(this.#stoppedAt)
  }
}

/**
 * Any form of a time that the service accepts; one without a zone is UTC, wherever it runs.
 *
 * @example toTime('2024-06-01T00:00:00Z') // 1717200000000
 */
export function toTime(time: string | Date): number {
  const milliseconds =
    time instanceof Date ? time.getTime() : Date.parse(parseDateTime(String(time)))
  if (isInRange(milliseconds)) return milliseconds
  throw unexpected('set the clock', 'an ISO 8601 time such as 2024-06-01T00:00:00Z', time)
}

function lengthOf(duration: Duration): number {
  const counts = typeof duration === 'object' && duration !== null ? Object.entries(duration) : null
  if (!counts?.every(([unit, count]) => Object.hasOwn(units, unit) && Number.isFinite(count))) {
    throw unexpected('advance the clock', `numbers of ${Object.keys(units).join(', ')}`, duration)
  }
  return counts.reduce((sum, [unit, count]) => sum + count * units[unit as keyof typeof units], 0)
}

/** The years that the service can write. Not so for NaN, which is no time. */
function isInRange(milliseconds: number): boolean {
  return (
    milliseconds >= Date.parse('0001-01-01T00:00:00Z') &&
    milliseconds < Date.parse('+010000-01-01T00:00:00Z')
  )
}

/** As the service writes a time: ISO 8601, UTC, six digits of fraction or none. */
export function toIso(milliseconds: number): string {
  const text = new Date(milliseconds).toISOString()
  return text.endsWith('.000Z') ? text.replace('.000Z', 'Z') : text.replace('Z', '000Z')
}
