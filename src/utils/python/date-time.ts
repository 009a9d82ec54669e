import { toAsciiDigits } from './int.ts'
import {
  type DateTimeFields,
  datePartLength,
  formatUtc,
  isValidDateTime,
  parseIsoDate,
  parseIsoTime,
} from './iso-8601.ts'
import { stripWhiteSpace } from './text.ts'

/**
 * Reads a date-time as the service does and gives it back as the service writes it: in UTC, with
 * `Z`, no fraction or one of six digits. A missing zone is UTC. `'invalid'` is the wrong format,
 * `'overflow'` a moment outside the years 1 to 9999 in UTC (observed §4, Dates).
 *
 * @example
 * parseDateTime('2024-01-01 10:00:00.5+01:00') // '2024-01-01T09:00:00.500000Z'
 * parseDateTime('yesterday') // 'invalid'
 */
export function parseDateTime(text: string): string | 'invalid' | 'overflow' {
  const moment = fromIsoFormat(text) ?? fromLooseFormat(text)
  return moment ? formatUtc(moment) : 'invalid'
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
 * What Django tries next: fields of one digit, white space before the zone, digits of any script,
 * a line end behind it all.
 */
function fromLooseFormat(text: string): DateTimeFields | undefined {
  const found = looseFormat.exec(toAsciiDigits(text))?.groups
  if (!found || stripWhiteSpace(found.space ?? '') !== '') return undefined

  const minutes = Number(found.hours ?? 0) * 60 + Number(found.minutes ?? 0)
  const moment = {
    date: {
      year: Number(found.year),
      month: Number(found.month),
      day: Number(found.day),
    },
    time: {
      hour: Number(found.hour),
      minute: Number(found.minute),
      second: Number(found.second ?? 0),
      microsecond: Number((found.fraction ?? '').padEnd(6, '0')),
    },
    offset: (found.sign === '-' ? -minutes : minutes) * 60e6,
  }
  return isValidDateTime(moment) ? moment : undefined
}

const midnight = { hour: 0, minute: 0, second: 0, microsecond: 0 } as const

/**
 * Python 3.11's `datetime.fromisoformat`; undefined where it refuses (observed §4, Dates).
 *
 * @note Python takes any character between date and time. Lower-case `t` is refused here because
 * the service was seen to refuse it.
 *
 * @example
 * fromIsoFormat('20240101')
 * // { date: { year: 2024, month: 1, day: 1 }, time: { hour: 0, … }, offset: 0 }
 */
function fromIsoFormat(text: string): DateTimeFields | undefined {
  const ascii = markNonAscii(text)
  const length = datePartLength(ascii)
  const separator = ascii[length]
  const date = parseIsoDate(ascii.slice(0, length))
  if (date === undefined || separator === 't') return undefined

  const rest = ascii.slice(length + (separator === nonAsciiMark ? 2 : 1))
  const clock = separator === undefined ? { time: midnight, offset: 0 } : parseIsoTime(rest)
  if (clock === undefined) return undefined
  const moment = { date, time: clock.time, offset: clock.offset }
  return isValidDateTime(moment) ? moment : undefined
}

const nonAsciiMark = '\x80'

/**
 * Python reads UTF-8 bytes, where what is not ASCII has several bytes. Two are enough to be neither
 * digit nor sign nor the single odd character that it skips. Half a surrogate pair has no bytes and
 * is refused, but for the first that stands where a date may end: there it counts as a `T`.
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
