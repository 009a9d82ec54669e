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
  if (typeof value === 'number') return numberRepr(value)
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(repr).join(', ')}]`
  if (typeof value !== 'object' || value === null) return 'None'
  const entries = Object.entries(value).map(([name, item]) => `${pythonQuote(name)}: ${repr(item)}`)
  return `{${entries.join(', ')}}`
}

/** Uses single quotes, or double quotes if only they avoid an escape sequence. */
function pythonQuote(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'"
  const escaped = text.replace(/[\\'"\p{C}\p{Z}]/gu, (character) => escapeSequence(character, mark))
  return mark + escaped + mark
}

function escapeSequence(character: string, mark: string): string {
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
function isPythonInt(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) < 1e21
}

function numberRepr(value: number): string {
  return isPythonInt(value) ? String(value) : floatRepr(value)
}

/** Python writes two digits of an exponent: `1e-05`. */
function floatRepr(value: number): string {
  if (Number.isNaN(value)) return 'nan'
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
 * space in place of the T, a date alone, and the same without hyphens and colons. Seen by running Django REST Framework
 * 3.14 on Python 3.11, which also reads rarer forms, such as weeks.
 *
 * @returns the time as the service writes it: in UTC with `Z`, without a fraction or with six digits. A text without a
 * time zone is UTC. Returns `'invalid'` for a wrong format, and `'overflow'` for a time outside the years 1 to 9999.
 * @example parseDateTime('2024-06-01 10:00+02:00') // '2024-06-01T08:00:00Z'
 */
export function parseDateTime(text: string): string | 'invalid' | 'overflow' {
  if (writtenFormat.test(text)) return text
  const parts = extendedFormat.exec(text) ?? compactFormat.exec(text)
  if (!parts) return 'invalid'
  const [
    ,
    year,
    month = '',
    day = '',
    hour = '00',
    minute = '00',
    second = '00',
    fraction = '',
    zone = 'Z',
  ] = parts
  const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60
  if (!isTime || !isDay(Number(year), Number(month), Number(day))) return 'invalid'
  const offset = minutesOf(zone)
  if (Math.abs(offset) >= minutesOfDay) return 'invalid'

  const date = `${year}-${twoDigits(month)}-${twoDigits(day)}`
  const minutes = Number(hour) * 60 + Number(minute) - offset
  const start =
    offset === 0 ? `${date}T${twoDigits(hour)}:${twoDigits(minute)}` : addMinutes(date, minutes)
  if (start === null) return 'overflow'
  const digits = Number(fraction) === 0 ? '' : `.${fraction.padEnd(6, '0')}`
  // Joined, because worlds have many times, and a template would keep the parts of each in memory.
  return [start, ':', twoDigits(second), digits, 'Z'].join('')
}

/** A time as the service writes it, but for the last days of months. */
const writtenFormat =
  /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.(?!000000)\d{6})?Z$/

// The groups of both: year, month, day, hour, minute, second, fraction, zone.

const fractionAndZone = String.raw`(?:[.,](\d{1,6})\d*)?)? *(Z|[+-]\d{2}(?::?\d{2})?)?`

/** One digit is enough, if a time follows. */
const extendedFormat = new RegExp(
  String.raw`^(\d{4})-(?=\d\d-\d\d|.*:)(\d{1,2})-(\d{1,2})` +
    String.raw`(?:[T ](\d{1,2}):(\d{1,2})(?::(\d{1,2})${fractionAndZone})?$`,
)

const compactFormat = new RegExp(
  String.raw`^(\d{4})(\d\d)(\d\d)(?:[T ](\d\d)(\d\d)(?:(\d\d)${fractionAndZone})?$`,
)

const minutesOfDay = 24 * 60

/** The offset of a time zone from UTC, in minutes. */
function minutesOf(zone: string): number {
  if (zone === 'Z') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3).replace(':', ''))
  return zone.startsWith('-') ? -minutes : minutes
}

function isDay(year: number, month: number, day: number): boolean {
  if (year < 1 || month < 1 || month > 12 || day < 1) return false
  // `Date.UTC` reads the years 1 to 99 as 1901 to 1999, with the same leap years.
  return day <= 28 || day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
}

/** The minute that is so long after the start of a day, or before. Null outside the years 1 to 9999 */
function addMinutes(date: string, minutes: number): string | null {
  const days = Math.floor(minutes / minutesOfDay)
  const rest = minutes - days * minutesOfDay
  const time = `${twoDigits(`${Math.floor(rest / 60)}`)}:${twoDigits(`${rest % 60}`)}`
  if (days === 0) return `${date}T${time}`
  const other = new Date(Date.parse(date) + days * minutesOfDay * 60_000)
  const year = other.getUTCFullYear()
  return year < 1 || year > 9999 ? null : `${other.toISOString().slice(0, 10)}T${time}`
}

function twoDigits(number: string): string {
  return number.length === 2 ? number : number.padStart(2, '0')
}
