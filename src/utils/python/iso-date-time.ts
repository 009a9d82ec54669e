export interface DateTimeFields {
  readonly date: DateFields
  readonly time: TimeFields
  /** East of UTC, in microseconds; 0 without a time zone. */
  readonly offset: number
}

type DateFields = readonly [year: number, month: number, day: number]

type TimeFields = readonly [hour: number, minute: number, second: number, microsecond: number]

export function toMicroseconds([hour, minute, second, microsecond]: TimeFields): number {
  return (hour * 3600 + minute * 60 + second) * 1e6 + microsecond
}

/**
 * Returns midnight UTC of a day. Days after the end of the month continue into the next one. Unlike `Date.UTC`, it does
 * not read the years 0 to 99 as 1900 to 1999.
 */
export function utcMidnight(year: number, month: number, day: number): Date {
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  return date
}

/**
 * Python 3.11's `datetime.fromisoformat`.
 *
 * @note Python accepts any character between date and time. This function rejects a lower-case `t`, because the live
 * service was seen to reject it.
 */
export function parseIsoFormat(text: string): DateTimeFields | undefined {
  const ascii = markNonAscii(text)
  const length = datePartLength(ascii)
  const separator = ascii[length]
  const date = parseIsoDate(ascii.slice(0, length))
  if (date === undefined || separator === 't') return undefined
  if (separator === undefined) return { date, time: [0, 0, 0, 0], offset: 0 }
  const time = parseIsoTime(ascii.slice(length + (separator === nonAsciiMark ? 2 : 1)))
  return time && { date, ...time }
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

/**
 * Returns the length of the date in a date-time. Any character can separate date and time, so the length follows from
 * how the text begins.
 */
function datePartLength(text: string): number {
  if (text.length === 7) return 7
  if (text[4] === 'W') return compactWeekLength(text)
  if (text[4] !== '-') return 8
  if (text[5] !== 'W') return 10
  // `2024-W05-1000` is week 5 at ten o'clock, and `2024-W05-1T10` is its Monday at ten o'clock.
  return text[8] === '-' && !/[0-9]/.test(text[10] ?? '') ? 10 : 8
}

/** `2024W05` or `2024W053`. The digits of a time come in pairs, so an odd number of digits includes the weekday. */
function compactWeekLength(text: string): number {
  const digits = /^[0-9]*/.exec(text.slice(7))?.[0].length ?? 0
  if (digits < 2) return 7 + digits
  return digits % 2 === 0 ? 8 : 7
}

function parseIsoDate(text: string): DateFields | undefined {
  const calendar = /^([0-9]{4})(-?)([0-9]{2})\2([0-9]{2})$/.exec(text)
  if (calendar) return [Number(calendar[1]), Number(calendar[3]), Number(calendar[4])]
  const week = /^([0-9]{4})(-?)W([0-9]{2})(?:\2([0-9]))?$/.exec(text)
  return week ? dateOfIsoWeek(Number(week[1]), Number(week[3]), Number(week[4] ?? 1)) : undefined
}

/** Week 1 contains the 4th of January. A week belongs to the year of its Thursday. */
function dateOfIsoWeek(year: number, week: number, weekday: number): DateFields | undefined {
  if (weekday < 1 || weekday > 7) return undefined
  const fourth = utcMidnight(year, 1, 4)
  const monday = 4 - ((fourth.getUTCDay() + 6) % 7) + (week - 1) * 7
  if (utcMidnight(year, 1, monday + 3).getUTCFullYear() !== year) return undefined
  const date = utcMidnight(year, 1, monday + weekday - 1)
  return [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()]
}

interface ParsedTime {
  readonly time: TimeFields
  /** Whether characters follow that Python's parser skips. */
  readonly hasTrailing: boolean
}

/** In C, a NUL character ends a text wherever it occurs. */
const endOfText = '\0'

/**
 * Parses an ISO 8601 time and the offset of its time zone in microseconds.
 *
 * @note Before a time zone, Python skips one odd character, or all characters after the sixth digit of the fraction:
 * `10:30xZ` is half past ten.
 */
function parseIsoTime(text: string): Pick<DateTimeFields, 'time' | 'offset'> | undefined {
  const zoneAt = text.search(/[Z+-]/)
  const parsed = parseTime(text, 0, zoneAt < 0 ? text.length : zoneAt)
  if (parsed === undefined || (zoneAt < 0 && parsed.hasTrailing)) return undefined
  const offset = zoneAt < 0 ? 0 : parseOffset(text, zoneAt)
  return offset === undefined ? undefined : { time: parsed.time, offset }
}

function parseOffset(text: string, zoneAt: number): number | undefined {
  if (text[zoneAt] === 'Z') return (text[zoneAt + 1] ?? endOfText) === endOfText ? 0 : undefined
  const parsed = parseTime(text, zoneAt + 1, text.length)
  if (parsed === undefined || parsed.hasTrailing) return undefined
  const offset = toMicroseconds(parsed.time)
  // Python ignores an offset of less than a second.
  if (offset < 1e6) return 0
  return text[zoneAt] === '-' ? -offset : offset
}

/** Parses hours, and optionally minutes, seconds and a fraction, with or without colons. */
export function parseTime(text: string, start: number, stop: number): ParsedTime | undefined {
  const hasColons = text[start + 2] === ':'
  const time: [number, number, number, number] = [0, 0, 0, 0]
  let at = start
  for (const index of [0, 1, 2] as const) {
    const pair = text.slice(at, at + 2)
    if (!/^[0-9]{2}$/.test(pair)) return undefined
    time[index] = Number(pair)
    at += 2
    const next = text[at] ?? endOfText
    if (at + 1 >= stop) return { time, hasTrailing: next !== endOfText }
    if (next === '.' || next === ',') return parseFraction(text, at + 1, stop, time)
    if (hasColons && next !== ':') return undefined
    if (hasColons) at += 1
  }
  // After the seconds, a colon or nothing can replace the decimal point: `10:30:00:5`, `10300050`.
  return parseFraction(text, at, stop, time)
}

function parseFraction(
  text: string,
  start: number,
  stop: number,
  [hour, minute, second]: TimeFields,
): ParsedTime | undefined {
  const digits = text.slice(start, Math.min(start + 6, stop))
  if (!/^[0-9]+$/.test(digits)) return undefined
  const trailing = /[^0-9]/.exec(text.slice(start + digits.length))?.[0] ?? endOfText
  const time = [hour, minute, second, Number(digits.padEnd(6, '0'))] as const
  return { time, hasTrailing: trailing !== endOfText }
}
