/** A parsed date and time, which may not exist in the calendar. */
export interface DateTimeFields {
  readonly date: DateFields
  readonly time: TimeFields
  /** East of UTC, in microseconds; 0 without a time zone. */
  readonly offset: number
}

interface DateFields {
  readonly year: number
  readonly month: number
  readonly day: number
}

interface TimeFields {
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly microsecond: number
}

const microsecondsPerDay = 86_400_000_000

/**
 * Whether Python's `datetime` can represent the time: years 1 to 9999, hours up to 23, no leap seconds, and an offset of
 * less than a day.
 *
 * @example
 * isValidDateTime({ date: { year: 2024, month: 2, day: 30 }, time: midnight, offset: 0 }) // false
 */
export function isValidDateTime({ date, time, offset }: DateTimeFields): boolean {
  // A day that the month does not have ends up in the next month.
  const month = utcMidnight(date.year, date.month, date.day).getUTCMonth() + 1
  return (
    isYear(date.year) &&
    month === date.month &&
    time.hour < 24 &&
    time.minute < 60 &&
    time.second < 60 &&
    Math.abs(offset) < microsecondsPerDay
  )
}

/**
 * Formats a time as the service does: in UTC with `Z`, without a fraction or with six digits.
 *
 * @returns `'overflow'` if the time in UTC is outside the years 1 to 9999
 * @example
 * formatUtc({ date: { year: 2024, month: 1, day: 1 }, time: midnight, offset: 3_600_000_000 })
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
 * Returns midnight UTC of a day. Days after the end of the month continue into the next one. Unlike `Date.UTC`, it does
 * not read the years 0 to 99 as 1900 to 1999.
 */
function utcMidnight(year: number, month: number, day: number): Date {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date
}

function isYear(year: number): boolean {
  return year >= 1 && year <= 9999
}

/**
 * Returns the length of the date in a date-time, by the rules of Python 3.11. Any character can separate date and time,
 * so the length follows from how the text begins.
 *
 * @example
 * datePartLength('2024-W05-3T10:00') // 10
 */
export function datePartLength(text: string): number {
  if (text.length === 7) return 7
  if (text[4] === 'W') return compactWeekLength(text)
  if (text[4] !== '-') return 8
  if (text[5] !== 'W') return 10
  // `2024-W05-1000` is week 5 at ten o'clock, and `2024-W05-1T10` is its Monday at ten o'clock.
  return text[8] === '-' && !isDigit(text[10]) ? 10 : 8
}

/** `2024W05` or `2024W053`. The digits of a time come in pairs, so an odd number of digits includes the weekday. */
function compactWeekLength(text: string): number {
  let end = 7
  while (isDigit(text[end])) end += 1
  if (end < 9) return end
  return end % 2 === 0 ? 7 : 8
}

/**
 * Parses an ISO 8601 date: a calendar date or a week date, with or without hyphens.
 *
 * @example
 * parseIsoDate('2024-W05-3') // { year: 2024, month: 1, day: 31 }
 */
export function parseIsoDate(text: string): DateFields | undefined {
  const calendar =
    /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(text) ?? /^([0-9]{4})([0-9]{2})([0-9]{2})$/.exec(text)
  if (calendar) {
    return {
      year: Number(calendar[1]),
      month: Number(calendar[2]),
      day: Number(calendar[3]),
    }
  }
  const week =
    /^([0-9]{4})-W([0-9]{2})(?:-([0-9]))?$/.exec(text) ??
    /^([0-9]{4})W([0-9]{2})([0-9])?$/.exec(text)
  return week ? dateOfIsoWeek(Number(week[1]), Number(week[2]), Number(week[3] ?? 1)) : undefined
}

/** Week 1 contains the 4th of January. A week belongs to the year of its Thursday. */
function dateOfIsoWeek(year: number, week: number, weekday: number): DateFields | undefined {
  if (weekday < 1 || weekday > 7) return undefined
  const fourth = utcMidnight(year, 1, 4)
  const monday = 4 - ((fourth.getUTCDay() + 6) % 7) + (week - 1) * 7
  if (utcMidnight(year, 1, monday + 3).getUTCFullYear() !== year) return undefined

  const date = utcMidnight(year, 1, monday + weekday - 1)
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
  }
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= '0' && character <= '9'
}

interface ParsedTime {
  readonly time: TimeFields
  /** Whether characters follow that Python's parser skips. */
  readonly hasTrailing: boolean
}

/** In C, a NUL character ends a text wherever it occurs. */
const endOfText = '\0'

/**
 * Parses an ISO 8601 time and the offset of its time zone in microseconds, by the rules of Python 3.11.
 *
 * @note Before a time zone, Python skips one odd character, or all characters after the sixth digit of the fraction:
 * `10:30xZ` is half past ten.
 *
 * @example
 * parseIsoTime('10:30+01:00')
 * // { time: { hour: 10, minute: 30, second: 0, microsecond: 0 }, offset: 3_600_000_000 }
 */
export function parseIsoTime(text: string): { time: TimeFields; offset: number } | undefined {
  const zoneAt = text.search(/[Z+-]/)
  const parsed = parseTime(text, 0, zoneAt < 0 ? text.length : zoneAt)
  if (parsed === undefined) return undefined
  if (zoneAt < 0) return parsed.hasTrailing ? undefined : { time: parsed.time, offset: 0 }

  const offset = parseOffset(text, zoneAt)
  return offset === undefined ? undefined : { time: parsed.time, offset }
}

function parseOffset(text: string, zoneAt: number): number | undefined {
  if (text[zoneAt] === 'Z') return (text[zoneAt + 1] ?? endOfText) === endOfText ? 0 : undefined

  const parsed = parseTime(text, zoneAt + 1, text.length)
  if (parsed === undefined || parsed.hasTrailing) return undefined
  const { hour, minute, second, microsecond } = parsed.time
  const seconds = hour * 3600 + minute * 60 + second
  // Python ignores an offset of less than a second.
  const distance = seconds === 0 ? 0 : seconds * 1e6 + microsecond
  return text[zoneAt] === '-' ? -distance : distance
}

/** Parses hours, and optionally minutes, seconds and a fraction, with or without colons. */
function parseTime(text: string, start: number, stop: number): ParsedTime | undefined {
  const hasColons = text[start + 2] === ':'
  const fields = [0, 0, 0]
  let at = start
  for (const index of fields.keys()) {
    const pair = text.slice(at, at + 2)
    if (!/^[0-9]{2}$/.test(pair)) return undefined
    fields[index] = Number(pair)
    at += 2

    const next = text[at] ?? endOfText
    if (at + 1 >= stop) return { time: toTime(fields, 0), hasTrailing: next !== endOfText }
    if (next === '.' || next === ',') return parseFraction(text, at + 1, stop, fields)
    if (hasColons && next !== ':') return undefined
    if (hasColons) at += 1
  }
  // After the seconds, a colon or nothing can replace the decimal point: `10:30:00:5`, `10300050`.
  return parseFraction(text, at, stop, fields)
}

function parseFraction(
  text: string,
  start: number,
  stop: number,
  fields: number[],
): ParsedTime | undefined {
  const digits = text.slice(start, Math.min(start + 6, stop))
  if (!/^[0-9]+$/.test(digits)) return undefined
  const trailing = /[^0-9]/.exec(text.slice(start + digits.length))?.[0] ?? endOfText
  const time = toTime(fields, Number(digits.padEnd(6, '0')))
  return { time, hasTrailing: trailing !== endOfText }
}

function toTime([hour = 0, minute = 0, second = 0]: number[], microsecond: number): TimeFields {
  return { hour, minute, second, microsecond }
}
