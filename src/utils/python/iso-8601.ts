/** A date and time of day as written, before anyone asked whether the calendar has it. */
export interface DateTimeFields {
  readonly date: DateFields
  readonly time: TimeFields
  /** East of UTC, in microseconds; 0 where no zone was given. */
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
function utcMidnight(year: number, month: number, day: number): Date {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date
}

function isYear(year: number): boolean {
  return year >= 1 && year <= 9999
}

/**
 * How many characters of a date and time belong to the date, before the separator, as Python 3.11
 * guesses it: any character may separate, so the start of the text has to tell (observed §4, Dates).
 *
 * @example
 * lengthOfDate('2024-W05-3T10:00') // 10
 */
export function datePartLength(text: string): number {
  if (text.length === 7) return 7
  if (text[4] === 'W') return compactWeekLength(text)
  if (text[4] !== '-') return 8
  if (text[5] !== 'W') return 10
  // `2024-W05-1000` is taken for week 5, ten o'clock, and `2024-W05-1T10` for its Monday.
  return text[8] === '-' && !isDigit(text[10]) ? 10 : 8
}

/** `2024W05` or `2024W053`: times have pairs of digits, so an odd one out is the day. */
function compactWeekLength(text: string): number {
  let end = 7
  while (isDigit(text[end])) end += 1
  if (end < 9) return end
  return end % 2 === 0 ? 7 : 8
}

/**
 * Reads a date of ISO 8601, as calendar day or week, with or without hyphens (observed §4, Dates).
 *
 * @example
 * readDate('2024-W05-3') // { year: 2024, month: 1, day: 31 }
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

/** Week 1 holds the 4th of January. A week belongs to the year of its Thursday. */
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
  /** Whether characters were left that Python's reader skipped. */
  readonly hasTrailing: boolean
}

/** What C finds behind the last character of a text, and takes for its end wherever it stands. */
const endOfText = '\0'

/**
 * Reads the time of an ISO 8601 text and its zone's offset in microseconds, as Python 3.11 does
 * (observed §4, Dates).
 *
 * @note Python skips one odd character, or any after the sixth digit of the fraction, when a zone
 * follows: `10:30xZ` is half past ten.
 *
 * @example
 * readTime('10:30+01:00')
 * // { time: { hour: 10, minute: 30, second: 0, microsecond: 0 }, offset: 3_600_000_000 }
 */
export function parseIsoTime(text: string): { time: TimeFields; offset: number } | undefined {
  const zoneAt = text.search(/[Z+-]/)
  const clock = readClock(text, 0, zoneAt < 0 ? text.length : zoneAt)
  if (clock === undefined) return undefined
  if (zoneAt < 0) return clock.hasTrailing ? undefined : { time: clock.time, offset: 0 }

  const offset = readOffset(text, zoneAt)
  return offset === undefined ? undefined : { time: clock.time, offset }
}

function readOffset(text: string, zoneAt: number): number | undefined {
  if (text[zoneAt] === 'Z') return (text[zoneAt + 1] ?? endOfText) === endOfText ? 0 : undefined

  const clock = readClock(text, zoneAt + 1, text.length)
  if (clock === undefined || clock.hasTrailing) return undefined
  const { hour, minute, second, microsecond } = clock.time
  const seconds = hour * 3600 + minute * 60 + second
  // Of an offset of less than a second Python makes none.
  const distance = seconds === 0 ? 0 : seconds * 1e6 + microsecond
  return text[zoneAt] === '-' ? -distance : distance
}

/** Hours, then perhaps minutes, seconds and a fraction, all with colons or all without. */
function readClock(text: string, start: number, stop: number): ParsedTime | undefined {
  const hasColons = text[start + 2] === ':'
  const fields = [0, 0, 0]
  let at = start
  for (const index of fields.keys()) {
    const pair = text.slice(at, at + 2)
    if (!/^[0-9]{2}$/.test(pair)) return undefined
    fields[index] = Number(pair)
    at += 2

    const mark = text[at] ?? endOfText
    if (at + 1 >= stop) return { time: toTime(fields, 0), hasTrailing: mark !== endOfText }
    if (mark === '.' || mark === ',') return readFraction(text, at + 1, stop, fields)
    if (hasColons && mark !== ':') return undefined
    if (hasColons) at += 1
  }
  // After the seconds a third colon, or nothing at all, does for the point: `10:30:00:5`, `10300050`.
  return readFraction(text, at, stop, fields)
}

function readFraction(
  text: string,
  start: number,
  stop: number,
  fields: number[],
): ParsedTime | undefined {
  const digits = text.slice(start, Math.min(start + 6, stop))
  if (!/^[0-9]+$/.test(digits)) return undefined
  const after = text.slice(start + digits.length).search(/[^0-9]/)
  const rest = after >= 0 && text[start + digits.length + after] !== endOfText
  return { time: toTime(fields, Number(digits.padEnd(6, '0'))), hasTrailing: rest }
}

function toTime([hour = 0, minute = 0, second = 0]: number[], microsecond: number): TimeFields {
  return { hour, minute, second, microsecond }
}
