import { parseDateTime } from '../python/datetime.ts'
import { unexpectedValue } from '../usage-error.ts'

/** A time: ISO 8601 in any form that the service accepts, or a Date. */
export type Time = string | Date

/**
 * Any form of a time that the service accepts; one without a zone is UTC, wherever it runs.
 *
 * @returns milliseconds since 1970
 * @throws UsageError for what is no time
 * @example toTime('2024-06-01T00:00:00Z') // 1717200000000
 */
export function parseTime(time: Time): number {
  const milliseconds =
    time instanceof Date ? time.getTime() : Date.parse(parseDateTime(String(time)))
  if (isTimeInRange(milliseconds)) return milliseconds
  const expected = 'an ISO 8601 time such as 2024-06-01T00:00:00Z'
  throw unexpectedValue('set the clock', expected, time, undefined, 'time')
}

/** The years that the service can write, 1 to 9999. Not so for NaN, which is no time. */
export function isTimeInRange(milliseconds: number): boolean {
  return (
    milliseconds >= Date.parse('0001-01-01T00:00:00Z') &&
    milliseconds < Date.parse('+010000-01-01T00:00:00Z')
  )
}

/** As the service writes a time: ISO 8601, UTC, six digits of fraction or none. */
export function formatIsoTime(milliseconds: number): string {
  const text = new Date(milliseconds).toISOString()
  return text.endsWith('.000Z') ? text.replace('.000Z', 'Z') : text.replace('Z', '000Z')
}
