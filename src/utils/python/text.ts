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

/** Python's `str.strip()`: removes white space at both ends. */
export function stripWhiteSpace(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isWhiteSpace(text.charAt(start))) start += 1
  while (end > start && isWhiteSpace(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}

/** Python's `str.split()`: splits a text at white space. */
export function splitWords(text: string): string[] {
  const spaced = Array.from(text, (character) => (isWhiteSpace(character) ? ' ' : character))
  return spaced.join('').split(/ +/).filter(Boolean)
}

/** Python's `len()` of a text: counts code points. @example countCodePoints('🦔') // 1 */
export function countCodePoints(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0)
}

type ReprStep = { readonly text: string } | { readonly value: unknown }

/** Keeps a list of remaining steps instead of recursing, so deep nesting cannot overflow the stack. */
function repr(value: unknown): string {
  const output: string[] = []
  const remaining: ReprStep[] = [{ value }]
  for (let step = remaining.pop(); step !== undefined; step = remaining.pop()) {
    if ('text' in step) output.push(step.text)
    else if (typeof step.value === 'object' && step.value !== null)
      for (const part of containerSteps(step.value).reverse()) remaining.push(part)
    else output.push(scalarRepr(step.value))
  }
  return output.join('')
}

function containerSteps(container: object): ReprStep[] {
  if (Array.isArray(container)) {
    const items = container.flatMap((value): ReprStep[] => [{ text: ', ' }, { value }])
    return [{ text: '[' }, ...items.slice(1), { text: ']' }]
  }
  const entries = Object.entries(container).flatMap(([key, value]): ReprStep[] => [
    { text: ', ' },
    { text: `${quote(key)}: ` },
    { value },
  ])
  return [{ text: '{' }, ...entries.slice(1), { text: '}' }]
}

function scalarRepr(value: unknown): string {
  if (typeof value === 'string') return quote(value)
  if (typeof value === 'number') return numberRepr(value)
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return 'None'
}

/** Uses single quotes, or double quotes if only they avoid an escape sequence. */
function quote(text: string): string {
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
  return /[.eE]/.test(token) ? floatRepr(Number(token)) : String(BigInt(token))
}

/**
 * Python's `str.isspace()` for one character: JavaScript's `\s`, the separators U+001C to U+001F and U+0085, but not
 * U+FEFF.
 */
function isWhiteSpace(character: string): boolean {
  if (isSeparator(character) || character === '\x85') return true
  return character !== '\ufeff' && /^\s$/.test(character)
}

/** Whether a character is a separator from U+001C to U+001F. Python's `str.strip()` strips them, `int()` does not. */
function isSeparator(character: string): boolean {
  return character >= '\x1c' && character <= '\x1f' && character.length === 1
}

/**
 * Python's `int(text)`, which the service uses for `limit` and `offset`. Python's integers are unbounded: beyond 2^53
 * this returns the nearest number, and beyond 1.8e308 Infinity.
 *
 * @returns undefined if Python raises a ValueError
 */
export function parseInteger(text: string): number | undefined {
  if (/^[0-9]{1,15}$/.test(text)) return Number(text) // Fast path for ordinary numbers.
  const digits = integerDigits(text)
  return digits === undefined ? undefined : Number(digits)
}

/** Python's `str(int(text))`, with all digits. @example integerDigits(' +0_9007199254740993 ') // '9007199254740993' */
export function integerDigits(text: string): string | undefined {
  if (Array.from(text).some(isSeparator)) return undefined
  const digits = toAsciiDigits(stripWhiteSpace(text))
  if (!/^[+-]?[0-9]+(_[0-9]+)*$/.test(digits)) return undefined

  const number = digits.replaceAll('_', '')
  if (number.replace(/^[+-]/, '').length > maxIntegerDigits) return undefined
  return String(BigInt(number.replace(/^\+/, '')))
}

/** The most digits of an integer that Python converts from text, and so the most in a JSON number. */
export const maxIntegerDigits = 4300

/** Replaces the decimal digits of all scripts with ASCII digits. Python's `int()` and `\d` accept all of them. */
export function toAsciiDigits(text: string): string {
  return text.replace(/(?![0-9])\p{Nd}/gu, (digit) => String(digitValue(digit)))
}

/** Unicode assigns digits in runs from zero to nine, so the value is the distance to the start of the run. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  let start = code
  while (/\p{Nd}/u.test(String.fromCodePoint(start - 1))) start -= 1
  return (code - start) % 10
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
