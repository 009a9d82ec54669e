import { didYouMean } from '../../utils/did-you-mean.ts'
import { parseDateTime } from '../../utils/python/date-time.ts'
import { unexpectedValue } from '../../utils/usage-error.ts'

/** A time: ISO 8601 in any format that the service accepts, or a Date. */
export type Time = string | Date

/**
 * Parses a time. A time without a zone is UTC.
 *
 * @returns milliseconds since 1970
 * @throws UsageError for an invalid time
 * @example parseTime('2024-06-01T00:00:00Z') // 1717200000000
 */
export function parseTime(time: Time): number {
  const milliseconds =
    time instanceof Date ? time.getTime() : Date.parse(parseDateTime(String(time)))
  if (isTimeInRange(milliseconds)) return milliseconds
  const expected = 'an ISO 8601 time such as 2024-06-01T00:00:00Z'
  throw unexpectedValue('set the clock', expected, time, undefined, 'time')
}

/** Whether a time is in the years 1 to 9999, which the service can format. False for NaN. */
export function isTimeInRange(milliseconds: number): boolean {
  return (
    milliseconds >= Date.parse('0001-01-01T00:00:00Z') &&
    milliseconds < Date.parse('+010000-01-01T00:00:00Z')
  )
}

/** Formats a time like the service: ISO 8601, UTC, with six digits of fraction or none. */
export function formatIsoTime(milliseconds: number): string {
  const text = new Date(milliseconds).toISOString()
  return text.endsWith('.000Z') ? text.replace('.000Z', 'Z') : text.replace('Z', '000Z')
}

/** A duration: the sum of its units. */
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
 * Converts a duration to milliseconds.
 *
 * @throws UsageError for an invalid duration, with the unit as its field
 * @example toMilliseconds({ minutes: 1, seconds: 30 }) // 90000
 */
export function toMilliseconds(duration: Duration): number {
  const isObject = typeof duration === 'object' && duration !== null && !Array.isArray(duration)
  const counts = isObject ? Object.entries(duration) : null
  const invalid = counts?.find(([unit, count]) => !isUnit(unit) || !Number.isFinite(count))
  if (counts && !invalid) {
    return counts.reduce((sum, [unit, count]) => sum + count * units[unit as keyof Duration], 0)
  }
  const names = Object.keys(units)
  const meant = invalid && !isUnit(invalid[0]) ? didYouMean(invalid[0], names) : undefined
  throw unexpectedValue(
    'advance the clock',
    `numbers of ${names.join(', ')}`,
    duration,
    meant,
    invalid?.[0],
  )
}

function isUnit(name: string): boolean {
  return Object.hasOwn(units, name)
}
