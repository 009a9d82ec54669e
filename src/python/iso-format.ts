import { datePartLength, parseIsoDate } from './iso-date.ts'
import { parseIsoTime } from './iso-time.ts'
import { type DateTimeFields, isValidDateTime } from './moment.ts'

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
export function fromIsoFormat(text: string): DateTimeFields | undefined {
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
