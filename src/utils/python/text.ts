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
 * Python's `int(text)`, which the service uses for `limit` and `offset`. Beyond 2^53 this returns the nearest number.
 *
 * @returns undefined if Python raises a ValueError
 * @example parseInteger(' +1_000 ') // 1000
 */
export function parseInteger(text: string): number | undefined {
  const digits = text.trim()
  return /^[+-]?\d+(?:_\d+)*$/.test(digits) ? Number(digits.replaceAll('_', '')) + 0 : undefined
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
