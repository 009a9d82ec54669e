import { flattenString } from '../json.ts'
import { utcMidnight } from './iso-date-time.ts'

const [plus, dash, point, colon] = [0x2b, 0x2d, 0x2e, 0x3a]
const [space, upperT, upperZ] = [0x20, 0x54, 0x5a]

/**
 * Parses the forms of times that most programs write, in a tenth of the time of `parseDateTime`: a date, alone or with
 * hours and minutes behind `T` or a space, then with or without seconds, a fraction, and `Z` or an offset like `+02:00`.
 *
 * @returns what `parseDateTime` returns, or undefined for any other text, which can be a time in another form
 */
export function parseCommonTime(text: string): string | undefined {
  const { length } = text
  if (!startsWithDate(text)) return undefined
  if (length === 10) return flattenString(`${text}T00:00:00Z`)
  const separator = text.charCodeAt(10)
  if (separator !== upperT && separator !== space) return undefined
  if (pairAt(text, 11) > 23 || text.charCodeAt(13) !== colon) return undefined
  if (pairAt(text, 14) > 59) return undefined
  const hasSeconds = text.charCodeAt(16) === colon
  if (hasSeconds && pairAt(text, 17) > 59) return undefined

  const end = hasSeconds ? endOfFraction(text) : 16
  const fraction = end > 20 ? sixDigits(text, end) : ''
  const zone = text.charCodeAt(end)
  if (zone === upperZ && end + 1 === length) {
    const isAsWritten = separator === upperT && end === 19 + fraction.length
    return isAsWritten ? text : format(text, fraction, 0)
  }
  if (end === length) return format(text, fraction, 0)
  if ((zone !== plus && zone !== dash) || end + 6 !== length) return undefined
  const hours = pairAt(text, end + 1)
  const minutes = pairAt(text, end + 4)
  if (hours > 23 || text.charCodeAt(end + 3) !== colon || minutes > 59) return undefined
  return format(text, fraction, (zone === plus ? -1 : 1) * (hours * 60 + minutes))
}

/** Whether a text starts with a day of the years 1 to 9999. */
function startsWithDate(text: string): boolean {
  const century = pairAt(text, 0)
  const year = pairAt(text, 2)
  const month = pairAt(text, 5)
  const day = pairAt(text, 8)
  if (century > 99 || year > 99 || century + year === 0) return false
  if (text.charCodeAt(4) !== dash || text.charCodeAt(7) !== dash) return false
  if (month < 1 || month > 12 || day < 1) return false
  if (day <= 28) return true
  if (month !== 2)
    return day <= (month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31)
  return day === 29 && (year === 0 ? century : year) % 4 === 0
}

/** The number in two digits; 100 for other characters. */
function pairAt(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 0x30
  const ones = text.charCodeAt(at + 1) - 0x30
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : 100
}

/** Where the digits behind `.` end: at 19 without them. */
function endOfFraction(text: string): number {
  if (text.charCodeAt(19) !== point) return 19
  let end = 20
  while (text.charCodeAt(end) >= 0x30 && text.charCodeAt(end) <= 0x39) end += 1
  return end === 20 ? 19 : end
}

/** The service writes a fraction with six digits, and none that is zero. */
function sixDigits(text: string, end: number): string {
  const digits = text.slice(20, Math.min(end, 26))
  return Number(digits) === 0 ? '' : `.${digits.padEnd(6, '0')}`
}

/** Formats the time at the start of a text, some minutes later. Undefined for a year that the service cannot store. */
function format(text: string, fraction: string, later: number): string | undefined {
  const seconds = text.charCodeAt(16) === colon ? text.slice(16, 19) : ':00'
  if (later === 0)
    return flattenString(`${text.slice(0, 10)}T${text.slice(11, 16)}${seconds}${fraction}Z`)
  const minutes = pairAt(text, 11) * 60 + pairAt(text, 14) + later
  const days = Math.floor(minutes / 1440)
  const hour = twoDigits(Math.floor(minutes / 60) - days * 24)
  const time = `${hour}:${twoDigits((minutes + 1440) % 60)}${seconds}${fraction}`
  if (days === 0) return flattenString(`${text.slice(0, 10)}T${time}Z`)
  const year = pairAt(text, 0) * 100 + pairAt(text, 2)
  const moved = utcMidnight(year, pairAt(text, 5), pairAt(text, 8) + days)
  if (moved.getUTCFullYear() < 1 || moved.getUTCFullYear() > 9999) return undefined
  return flattenString(`${moved.toISOString().slice(0, 10)}T${time}Z`)
}

function twoDigits(number: number): string {
  return number < 10 ? `0${number}` : String(number)
}
