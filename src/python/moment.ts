/** A date and time of day as written, before anyone asked whether the calendar has it. */
export interface DateTimeFields {
  readonly date: DateFields
  readonly time: TimeFields
  /** East of UTC, in microseconds; 0 where no zone was given. */
  readonly offset: number
}

export interface DateFields {
  readonly year: number
  readonly month: number
  readonly day: number
}

export interface TimeFields {
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly microsecond: number
}

const microsecondsADay = 86_400_000_000

/**
 * Whether Python's `datetime` can hold the moment: years 1 to 9999, hours to 23, no leap seconds,
 * an offset under a day (observed §4, Dates).
 *
 * @example
 * isPossible({ date: { year: 2024, month: 2, day: 30 }, time: midnight, offset: 0 }) // false
 */
export function isValidDateTime({ date, time, offset }: DateTimeFields): boolean {
  // A day beyond the end of its month has run on into the next.
  const month = utcMidnight(date.year, date.month, date.day).getUTCMonth() + 1
  return (
    isYear(date.year) &&
    month === date.month &&
    time.hour < 24 &&
    time.minute < 60 &&
    time.second < 60 &&
    Math.abs(offset) < microsecondsADay
  )
}

/**
 * The moment as the service writes it: in UTC, with `Z`, six digits of fraction or none;
 * `'overflow'` where the way to UTC leaves the years 1 to 9999 (observed §4, Dates).
 *
 * @example
 * toUtc({ date: { year: 2024, month: 1, day: 1 }, time: midnight, offset: 3_600_000_000 })
 * // '2023-12-31T23:00:00Z'
 */
export function formatUtc({ date, time, offset }: DateTimeFields): string | 'overflow' {
  const microseconds = time.microsecond - offset
  const wholeSeconds = Math.floor(microseconds / 1e6)
  const seconds = time.hour * 3600 + time.minute * 60 + time.second + wholeSeconds
  const utc = utcMidnight(date.year, date.month, date.day)
  utc.setTime(utc.getTime() + seconds * 1000)
  if (!isYear(utc.getUTCFullYear())) return 'overflow'

  const fraction = microseconds - wholeSeconds * 1e6
  const digits = fraction === 0 ? '' : `.${String(fraction).padStart(6, '0')}`
  return `${utc.toISOString().slice(0, 19)}${digits}Z`
}

/**
 * Midnight UTC of a day; days beyond the end of the month run on into the next. (Date.UTC would
 * take the years 0 to 99 for 1900 to 1999.)
 *
 * @example
 * startOfDay(99, 12, 31).getUTCFullYear() // 99
 */
export function utcMidnight(year: number, month: number, day: number): Date {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date
}

function isYear(year: number): boolean {
  return year >= 1 && year <= 9999
}
