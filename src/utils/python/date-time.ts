/**
 * Parses a date-time as the service does: `2024-06-01T10:00:00Z`, with or without seconds, a fraction and a zone, with a
 * space in place of the T, a date alone, and the same without hyphens and colons. Seen by running Django REST Framework
 * 3.14 on Python 3.11, which also reads rarer forms, such as weeks.
 *
 * @returns the time as the service writes it: in UTC with `Z`, without a fraction or with six digits. A text without a
 * time zone is UTC. Returns `'invalid'` for a wrong format, and `'overflow'` for a time outside the years 1 to 9999.
 * @example parseDateTime('2024-06-01 10:00+02:00') // '2024-06-01T08:00:00Z'
 */
export function parseDateTime(text: string): string | 'invalid' | 'overflow' {
  if (writtenFormat.test(text)) return text
  const groups = (extendedFormat.exec(text) ?? compactFormat.exec(text))?.groups
  if (!groups) return 'invalid'
  const { year, month, day, hour = 0, minute = 0, second = 0, fraction = '', zone = 'Z' } = groups
  const date = utcDate(Number(year), Number(month), Number(day))
  const offset = minutesOf(zone)
  // A day that the month does not have ends up in the next month.
  const isDay = Number(year) > 0 && date.getUTCMonth() + 1 === Number(month)
  const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60
  if (!isDay || !isTime || Math.abs(offset) >= 24 * 60) return 'invalid'
  date.setUTCHours(Number(hour), Number(minute) - offset, Number(second))
  if (date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999) return 'overflow'
  const digits = Number(fraction) === 0 ? '' : `.${fraction.padEnd(6, '0')}`
  return `${date.toISOString().slice(0, 19)}${digits}Z`
}

/** A time as the service writes it, but for the last days of months. */
const writtenFormat =
  /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.(?!000000)\d{6})?Z$/

const fraction = String.raw`(?:[.,](?<fraction>\d{1,6})\d*)?`
const zone = String.raw` *(?<zone>Z|[+-]\d{2}(?::?\d{2})?)?`

/** One digit is enough, if a time follows. */
const extendedFormat = new RegExp(
  String.raw`^(?<year>\d{4})-(?=\d\d-\d\d|.*:)(?<month>\d{1,2})-(?<day>\d{1,2})` +
    String.raw`(?:[T ](?<hour>\d{1,2}):(?<minute>\d{1,2})(?::(?<second>\d{1,2})${fraction})?${zone})?$`,
)

const compactFormat = new RegExp(
  String.raw`^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)` +
    String.raw`(?:[T ](?<hour>\d\d)(?<minute>\d\d)(?:(?<second>\d\d)${fraction})?${zone})?$`,
)

/** Midnight. Unlike `Date.UTC`, it does not read the years 0 to 99 as 1900 to 1999. */
function utcDate(year: number, month: number, day: number): Date {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date
}

/** The offset of a time zone from UTC. */
function minutesOf(zone: string): number {
  if (zone === 'Z') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3).replace(':', ''))
  return zone.startsWith('-') ? -minutes : minutes
}

/**
 * The words of a message for a text that is not a time: they name a day that its month lacks.
 *
 * @param otherwise the words for any other text
 * @example expectedTime('2024-02-30') // 'a day that its month has'
 */
export function expectedTime(
  text: unknown,
  otherwise: string = 'an ISO 8601 time such as 2024-06-01T00:00:00Z',
): string {
  const [, month, day, rest] = /^(\d{4}-\d\d-)(\d\d)(.*)$/s.exec(String(text)) ?? []
  if (month === undefined || isTime(`${month}${day}`)) return otherwise
  return isTime(`${month}01${rest}`) ? 'a day that its month has' : otherwise
}

function isTime(text: string): boolean {
  return !['invalid', 'overflow'].includes(parseDateTime(text))
}
