/** Python's `str()` of a JSON value, as in error messages of the service: `"True" is not a valid choice.` */
export function toPythonString(value: unknown): string {
  return typeof value === 'string' ? value : repr(value)
}

/**
 * Python's name for the type of a JSON value, as in error messages of the service: `Expected pk value, received str.`
 *
 * @note JSON.parse does not preserve `.0` or an exponent. So `1.0`, a `float` in Python, is an `int` here.
 */
export function pythonTypeName(value: unknown): string {
  if (typeof value === 'string') return 'str'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return isPythonInt(value) ? 'int' : 'float'
  if (Array.isArray(value)) return 'list'
  return value === null || value === undefined ? 'NoneType' : 'dict'
}

/** Python's `len()` of a text: counts code points. @example countCodePoints('🦔') // 1 */
export function countCodePoints(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0)
}

function repr(value: unknown): string {
  if (typeof value === 'string') return pythonQuote(value)
  if (typeof value === 'number') return isPythonInt(value) ? String(value) : floatRepr(value)
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(repr).join(', ')}]`
  if (typeof value !== 'object' || value === null) return 'None'
  const entries = Object.entries(value).map(([name, item]) => `${pythonQuote(name)}: ${repr(item)}`)
  return `{${entries.join(', ')}}`
}

/** Uses single quotes, or double quotes if only they avoid an escape sequence. */
function pythonQuote(text: string) {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'"
  const escaped = text.replace(/[\\'"\p{C}\p{Z}]/gu, (character) => escapeSequence(character, mark))
  return mark + escaped + mark
}

function escapeSequence(character: string, mark: string) {
  if (character === '\\' || character === mark) return `\\${character}`
  if (character === ' ' || character === "'" || character === '"') return character
  if (character === '\n') return '\\n'
  if (character === '\r') return '\\r'
  if (character === '\t') return '\\t'

  const code = (character.codePointAt(0) ?? 0).toString(16)
  if (code.length <= 2) return `\\x${code.padStart(2, '0')}`
  return code.length <= 4 ? `\\u${code.padStart(4, '0')}` : `\\U${code.padStart(8, '0')}`
}

/**
 * Whether Python would have parsed this number as an `int`. From 1e21 on, JavaScript writes an exponent, and most likely
 * the client did, too. Python parses that as a `float`.
 */
function isPythonInt(value: number) {
  return Number.isInteger(value) && Math.abs(value) < 1e21
}

/** Python writes two digits of an exponent: `1e-05`. */
function floatRepr(value: number) {
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf'
  const size = Math.abs(value)
  if (size >= 1e16 || (size < 1e-4 && size > 0)) {
    return value.toExponential().replace(/(?<=e[+-])(?=\d$)/, '0')
  }
  const text = Object.is(value, -0) ? '-0' : String(value)
  return Number.isInteger(value) ? `${text}.0` : text
}

/** Python's `str()` of a number in JSON. @example numberTokenToString('1e2') // '100.0' */
export function numberTokenToString(token: string): string {
  if (/[.eE]/.test(token)) return floatRepr(Number(token))
  return token === '-0' ? '0' : token
}

/**
 * Python's `str(UUID(text))`. It accepts upper case, braces, `urn:uuid:` in front, and any number of hyphens anywhere.
 *
 * @returns undefined if Python raises a ValueError
 */
export function parseUuid(text: string): string | undefined {
  const digits = text
    .replace('urn:', '')
    .replace('uuid:', '')
    .replace(/^[{}]+|[{}]+$|-/g, '')
  const parts = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(digits.toLowerCase())
  return parts && /^[0-9a-f]+$/i.test(digits) ? parts.slice(1).join('-') : undefined
}

/**
 * Parses a date-time as the service does: `2024-06-01T10:00:00Z`, with or without seconds, a fraction and a zone, with a
 * space in place of the T, a date alone, a week such as `2024-W22-6`, and the same without hyphens and colons. Seen by running
 * Django REST Framework 3.14 on Python 3.11.
 *
 * @returns the time as the service writes it: in UTC with `Z`, without a fraction or with six digits. A text without a
 * time zone is UTC. Returns `'invalid'` for a wrong format, and `'overflow'` for a time outside the years 1 to 9999.
 * @example parseDateTime('2024-06-01 10:00+02:00') // '2024-06-01T08:00:00Z'
 */
export function parseDateTime(text: string): string | 'invalid' | 'overflow' {
  if (writtenFormat.test(text)) return text
  const parts = (isoFormat.exec(text) ?? looseFormat.exec(text))?.groups
  if (!parts) return 'invalid'
  const { hour = 0, minute = 0, second = 0, fraction = '', zone = 'Z' } = parts
  const day = parts.week === undefined ? dayOfMonth(parts) : dayOfWeek(parts)
  const offset = secondsOf(zone)
  const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60
  if (!isWritable(day) || !isTime || Math.abs(offset) >= 24 * 3_600) return 'invalid'

  day.setUTCHours(Number(hour), Number(minute), Number(second) - offset)
  if (!isWritable(day)) return 'overflow'
  const digits = Number(fraction) === 0 ? '' : `.${fraction.padEnd(6, '0')}`
  // Joined, because worlds have many times, and a template would keep the parts of each in memory.
  return [day.toISOString().slice(0, 19), digits, 'Z'].join('')
}

/** A time as the service writes it, but for February 29 and the 31st of a month. */
const writtenFormat =
  /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8]|(?<!-02-)(?:29|30))T(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.(?!000000)\d{6})?Z$/

const fractionPattern = String.raw`(?:[.,](?<fraction>\d{1,6})\d*)?`

/** That of Python's `fromisoformat`, with fewer separators of date and time. */
const isoFormat = new RegExp(
  String.raw`^(?<year>\d{4})(?<hyphen>-?)` +
    String.raw`(?:(?<month>\d\d)\k<hyphen>(?<date>\d\d)|W(?<week>\d\d)(?:\k<hyphen>(?<weekday>[1-7]))?)` +
    String.raw`(?:[T ](?<hour>\d\d)(?:(?<colon>:?)(?<minute>\d\d)(?:\k<colon>(?<second>\d\d)${fractionPattern})?)?` +
    String.raw`(?: ?(?<zone>Z|[+-]\d\d(?:(?<mark>:?)\d\d(?:\k<mark>\d\d)?)?))?)?$`,
)

/** Django's, by which one digit is enough, if a time follows. */
const looseFormat = new RegExp(
  String.raw`^(?<year>\d{4})-(?<month>\d\d?)-(?<date>\d\d?)[T ](?<hour>\d\d?):(?<minute>\d\d?)` +
    String.raw`(?::(?<second>\d\d?)${fractionPattern})? *(?<zone>Z|[+-]\d\d(?::?\d\d)?)?$`,
)

type DateParts = Readonly<Record<string, string>>

/** Null if the month has no such day. */
function dayOfMonth({ year, month, date }: DateParts): Date | null {
  const day = new Date(0)
  day.setUTCFullYear(Number(year), Number(month) - 1, Number(date))
  return day.getUTCMonth() === Number(month) - 1 && day.getUTCDate() === Number(date) ? day : null
}

/** Null if the year has no such week: its Thursday decides to which year a week belongs. January 4th is in the first one. */
function dayOfWeek({ year, week, weekday = '1' }: DateParts): Date | null {
  const day = new Date(0)
  day.setUTCFullYear(Number(year), 0, 4)
  day.setUTCDate(8 - (day.getUTCDay() || 7) + (Number(week) - 1) * 7)
  if (day.getUTCFullYear() !== Number(year)) return null
  day.setUTCDate(day.getUTCDate() + Number(weekday) - 4)
  return day
}

/** Whether Python has such a time. */
function isWritable(time: Date | null): time is Date {
  const year = time?.getUTCFullYear() ?? 0
  return year >= 1 && year <= 9999
}

/** The offset of a time zone from UTC. */
function secondsOf(zone: string) {
  const [hours, minutes = 0, seconds = 0] = zone.match(/\d\d/g)?.map(Number) ?? [0]
  const size = ((hours as number) * 60 + minutes) * 60 + seconds
  return zone.startsWith('-') ? -size : size
}
