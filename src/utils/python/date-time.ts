import {
  type DateTimeFields,
  parseIsoFormat,
  toMicroseconds,
  utcMidnight,
} from './iso-date-time.ts'
import { stripWhiteSpace, toAsciiDigits } from './text.ts'

/**
 * Parses a date-time as the service does. Seen by running Django REST Framework 3.14 on Python 3.11.
 *
 * @returns the time as the service writes it: in UTC with `Z`, without a fraction or with six digits. A text without a
 * time zone is UTC. Returns `'invalid'` for a wrong format, and `'overflow'` for a time outside the years 1 to 9999.
 */
export function parseDateTime(text: string): string | 'invalid' | 'overflow' {
  // Fast path: most clients send the service's own format.
  if (commonTime.test(text)) return text
  const iso = parseIsoFormat(text)
  const fields = isValid(iso) ? iso : parseLooseFormat(text)
  return isValid(fields) ? formatUtc(fields) : 'invalid'
}

/** A time as the service writes it, except on 29 February. */
const commonTime = new RegExp(
  [
    /^(?!0000)\d{4}-/,
    /(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)/,
    /T(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.(?!000000)\d{6})?Z$/,
  ]
    .map((part) => part.source)
    .join(''),
)

/**
 * Whether Python's `datetime` can represent the time: years 1 to 9999, hours up to 23, no leap seconds, and an offset of
 * less than a day.
 */
function isValid(fields: DateTimeFields | undefined): fields is DateTimeFields {
  if (fields === undefined) return false
  const { date, time, offset } = fields
  const [year, month] = date
  const [hour, minute, second] = time
  // A day that the month does not have ends up in the next month.
  const isDay = isYear(year) && utcMidnight(...date).getUTCMonth() + 1 === month
  return isDay && hour < 24 && minute < 60 && second < 60 && Math.abs(offset) < 86_400e6
}

function formatUtc({ date, time, offset }: DateTimeFields): string | 'overflow' {
  const microseconds = toMicroseconds(time) - offset
  const seconds = Math.floor(microseconds / 1e6)
  const utc = utcMidnight(...date)
  utc.setTime(utc.getTime() + seconds * 1000)
  if (!isYear(utc.getUTCFullYear())) return 'overflow'

  const fraction = microseconds - seconds * 1e6
  const digits = fraction === 0 ? '' : `.${String(fraction).padStart(6, '0')}`
  return `${utc.toISOString().slice(0, 19)}${digits}Z`
}

function isYear(year: number): boolean {
  return year >= 1 && year <= 9999
}

const looseFormat = new RegExp(
  [
    /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})/,
    /[T ](?<hour>\d{1,2}):(?<minute>\d{1,2})/,
    /(?::(?<second>\d{1,2})(?:[.,](?<fraction>\d{1,6})\d{0,6})?)?/,
    /(?<space>[^Z+-]*)(?:Z|(?<sign>[+-])(?<hours>\d{2})(?::?(?<minutes>\d{2}))?)?\n?$/,
  ]
    .map((part) => part.source)
    .join(''),
)

/**
 * Parses the format that Django tries second. It also accepts one-digit fields, white space before the time zone, digits
 * of any script, and a line feed at the end.
 */
function parseLooseFormat(text: string): DateTimeFields | undefined {
  const groups = looseFormat.exec(toAsciiDigits(text))?.groups
  if (!groups || stripWhiteSpace(groups.space ?? '') !== '') return undefined
  const {
    year,
    month,
    day,
    hour,
    minute,
    second = 0,
    fraction = '',
    hours = 0,
    minutes = 0,
  } = groups
  const offset = (Number(hours) * 60 + Number(minutes)) * 60e6
  return {
    date: [Number(year), Number(month), Number(day)],
    time: [Number(hour), Number(minute), Number(second), Number(fraction.padEnd(6, '0'))],
    offset: groups.sign === '-' ? -offset : offset,
  }
}
