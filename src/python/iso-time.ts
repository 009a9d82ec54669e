import type { TimeFields } from './moment.ts'

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
