import {
  type DateTimeFields,
  datePartLength,
  formatUtc,
  isValidDateTime,
  parseIsoDate,
  parseIsoTime,
} from './iso-8601.ts'
import { stripWhiteSpace, toAsciiDigits } from './text.ts'

/**
 * Parses a date-time as the service does. Seen by running Django REST Framework 3.14 on Python 3.11.
 *
 * @returns the time as the service writes it: in UTC with `Z`, without a fraction or with six digits. A text without a
 *   time zone is UTC. Returns `'invalid'` for a wrong format, and `'overflow'` for a time outside the years 1 to 9999.
 * @example
 * parseDateTime('2024-01-01 10:00:00.5+01:00') // '2024-01-01T09:00:00.500000Z'
 * parseDateTime('yesterday') // 'invalid'
 */
export function parseDateTime(text: string): string | 'invalid' | 'overflow' {
  const fields = parseIsoFormat(text) ?? parseLooseFormat(text)
  return fields ? formatUtc(fields) : 'invalid'
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

  const minutes = Number(groups.hours ?? 0) * 60 + Number(groups.minutes ?? 0)
  const fields = {
    date: {
      year: Number(groups.year),
      month: Number(groups.month),
      day: Number(groups.day),
    },
    time: {
      hour: Number(groups.hour),
      minute: Number(groups.minute),
      second: Number(groups.second ?? 0),
      microsecond: Number((groups.fraction ?? '').padEnd(6, '0')),
    },
    offset: (groups.sign === '-' ? -minutes : minutes) * 60e6,
  }
  return isValidDateTime(fields) ? fields : undefined
}

const midnight = { hour: 0, minute: 0, second: 0, microsecond: 0 } as const

/**
 * Python 3.11's `datetime.fromisoformat`.
 *
 * @note Python accepts any character between date and time. This function rejects a lower-case `t`, because the live
 * service was seen to reject it.
 *
 * @example
 * parseIsoFormat('20240101')
 * // { date: { year: 2024, month: 1, day: 1 }, time: { hour: 0, … }, offset: 0 }
 */
function parseIsoFormat(text: string): DateTimeFields | undefined {
  const ascii = markNonAscii(text)
  const length = datePartLength(ascii)
  const separator = ascii[length]
  const date = parseIsoDate(ascii.slice(0, length))
  if (date === undefined || separator === 't') return undefined

  const rest = ascii.slice(length + (separator === nonAsciiMark ? 2 : 1))
  const time = separator === undefined ? { time: midnight, offset: 0 } : parseIsoTime(rest)
  if (time === undefined) return undefined
  const fields = { date, ...time }
  return isValidDateTime(fields) ? fields : undefined
}

const nonAsciiMark = '\x80'

/**
 * Replaces each non-ASCII character with two marks. Python parses the UTF-8 bytes, of which such a character has at least
 * two, and it skips only a single odd byte. A lone surrogate has no bytes and is rejected, except at a position where a
 * date can end: there Python reads it as `T`.
 */
function markNonAscii(text: string): string {
  return replaceSurrogate(text).replace(/\P{ASCII}/gu, nonAsciiMark + nonAsciiMark)
}

function replaceSurrogate(text: string): string {
  if (!/\p{Cs}/u.test(text)) return text
  const characters = Array.from(text)
  const separator = [7, 8, 10].find((at) => /^\p{Cs}$/u.test(characters[at] ?? ''))
  if (separator !== undefined) characters[separator] = 'T'
  const clean = characters.join('')
  return /\p{Cs}/u.test(clean) ? '' : clean
}
