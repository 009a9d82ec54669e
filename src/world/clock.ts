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

  /** Stands still at the time it has, and moves on from there. */
  advance(duration: Duration): void {
    let time = this.now()
    for (const [unit, count] of Object.entries(duration)) {
      if (!Object.hasOwn(units, unit) || !Number.isFinite(count)) {
        throw unexpected(
          'advance the clock',
          `numbers of ${Object.keys(units).join(', ')}`,
          duration,
        )
      }
      time += count * units[unit as keyof typeof units]
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

/** @example toTime('2024-06-01T00:00:00Z') // 1717200000000 */
export function toTime(time: string | Date): number {
  const milliseconds = time instanceof Date ? time.getTime() : Date.parse(time)
  if (Number.isFinite(milliseconds)) return milliseconds
  throw unexpected('set the clock', 'an ISO 8601 time such as 2024-06-01T00:00:00Z', time)
}

function toIso(milliseconds: number): string {
  const text = new Date(milliseconds).toISOString()
  return text.endsWith('.000Z') ? text.replace('.000Z', 'Z') : text.replace('Z', '000Z')
}
