import { jsonLevels } from '../json.ts'
import { maxIntegerDigits } from './int.ts'
import { countCodePoints } from './text.ts'

/** How many lists and objects within one another Python reads: its recursion limit. */
export const maxDepth = 1000

/** The look-behind starts one try per run of digits: without it, many long runs take minutes. */
const longInteger = new RegExp(`(?<![0-9])[0-9]{${maxIntegerDigits + 1}}`)

/**
 * Reads JSON as the service does: what is refused is refused with the words of Python 3.11, and
 * `NaN`, `Infinity` and `-Infinity` with those of Django REST Framework (observed §1).
 *
 * @note Python has a recursion limit, JSON.parse has none: where reading crashes there (a 500), this refuses
 * in the words of that crash. Whoever writes such a value would run out of stack.
 *
 * @example
 * parseJson('{"content": "Release 1.0"}') // { content: 'Release 1.0' }
 * parseJson('{"content": ') // JsonError: Expecting value: line 1 column 13 (char 12)
 */
export function parseJson(text: string): unknown {
  const value = parse(text)
  if (text.length > maxIntegerDigits && longInteger.test(text)) checkJson(text)
  if (text.length > maxDepth) checkDepth(value)
  return value
}

function checkDepth(value: unknown): void {
  let depth = 0
  for (const level of jsonLevels(value)) {
    depth += 1
    if (depth <= maxDepth) continue
    const container = level.find((held) => typeof held === 'object' && held !== null)
    if (container !== undefined) throw depthError(Array.isArray(container) ? 'array' : 'object')
  }
}

function depthError(container: 'array' | 'object'): JsonParseError {
  return new JsonParseError(
    `maximum recursion depth exceeded while decoding a JSON ${container} from a unicode string`,
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    checkJson(text)
    // Only an engine that gives up on deep nesting comes here; Python would have done so earlier.
    throw depthError('array')
  }
}

/**
 * A body that could not be read. `message` is what Python says of it, without the service's
 * `JSON parse error - ` in front (observed §1, malformed JSON).
 *
 * @example
 * new JsonError('Expecting value: line 1 column 1 (char 0)')
 */
export class JsonParseError extends Error {
  override readonly name = 'JsonError'
}

type Bracket = '{' | '['

const closing = { '{': '}', '[': ']' } as const

/**
 * Walks through a text as Python's JSON reader does and throws a {@link JsonParseError} at the first
 * thing that reader would refuse (observed §1). Keeps its own list of open brackets, so that no
 * depth of nesting overflows the stack.
 *
 * @example
 * checkJson('[1 2]') // JsonError: Expecting ',' delimiter: line 1 column 4 (char 3)
 */
export function checkJson(text: string): void {
  if (text.startsWith('\ufeff')) {
    throw errorAt(text, 0, 'Unexpected UTF-8 BOM (decode using utf-8-sig)')
  }

  const open: Bracket[] = []
  let next: number | undefined = skipSpace(text, 0)
  while (next !== undefined) {
    const end: number | undefined = scanValue(text, next, open)
    next = end === undefined ? firstValueStart(text, next, open) : nextValueStart(text, end, open)
  }
}

/** The end of the value that starts at `at`, or undefined when it is a list or object to go into. */
function scanValue(text: string, at: number, open: Bracket[]): number | undefined {
  const bracket = text[at]
  if (bracket !== '{' && bracket !== '[') return endOfScalar(text, at)

  const inside = skipSpace(text, at + 1)
  if (text[inside] === closing[bracket]) return inside + 1
  open.push(bracket)
  return undefined
}

/** Where the first value of a just opened list or object starts. */
function firstValueStart(text: string, bracketAt: number, open: Bracket[]): number {
  return valueStartAfterKey(text, skipSpace(text, bracketAt + 1), open)
}

/** Where the next value starts after one that ended at `end`; undefined at the end of the text. */
function nextValueStart(text: string, end: number, open: Bracket[]): number | undefined {
  let at = skipSpace(text, end)
  for (let inside = open.at(-1); inside !== undefined; inside = open.at(-1)) {
    if (text[at] === ',') return valueStartAfterKey(text, skipSpace(text, at + 1), open)
    if (text[at] !== closing[inside]) throw errorAt(text, at, "Expecting ',' delimiter")
    open.pop()
    at = skipSpace(text, at + 1)
  }
  if (at < text.length) throw errorAt(text, at, 'Extra data')
  return undefined
}

/** In an object, where the value starts whose key starts at `at`; in a list, `at` itself. */
function valueStartAfterKey(text: string, at: number, open: Bracket[]): number {
  if (open.at(-1) === '[') return at
  if (text[at] !== '"') {
    throw errorAt(text, at, 'Expecting property name enclosed in double quotes')
  }
  const colon = skipSpace(text, endOfString(text, at))
  if (text[colon] !== ':') throw errorAt(text, colon, "Expecting ':' delimiter")
  return skipSpace(text, colon + 1)
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1
  return at
}

/** Python's reader knows these three; Django REST Framework refuses them by name. */
const constants = ['NaN', 'Infinity', '-Infinity'] as const

/** The end of a string, number or word that starts at `at`, read as Python reads it. */
function endOfScalar(text: string, at: number): number {
  if (text[at] === '"') return endOfString(text, at)
  const word = ['null', 'true', 'false'].find((known) => text.startsWith(known, at))
  if (word) return at + word.length

  const constant = constants.find((known) => text.startsWith(known, at))
  if (constant) {
    throw new JsonParseError(`Out of range float values are not JSON compliant: '${constant}'`)
  }
  return endOfNumber(text, at)
}

/** The end of the string whose opening quote stands at `start`. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '"') return at + 1
    if (text[at] === '\\') at += escapeLength(text, at, start)
    else if (text.charCodeAt(at) < 0x20) throw errorAt(text, at, 'Invalid control character at')
  }
  throw errorAt(text, start, 'Unterminated string starting at')
}

/** How many characters follow the backslash at `at`. */
function escapeLength(text: string, at: number, start: number): number {
  const letter = text[at + 1]
  if (letter === undefined) throw errorAt(text, start, 'Unterminated string starting at')
  if (letter !== 'u') {
    if ('"\\/bfnrt'.includes(letter)) return 1
    throw errorAt(text, at, 'Invalid \\escape')
  }
  // Python wants one character more than the four digits, be it the closing quote.
  const complete = at + 6 < text.length && /^[0-9a-fA-F]{4}$/.test(text.slice(at + 2, at + 6))
  if (!complete) throw errorAt(text, at + 1, 'Invalid \\uXXXX escape')
  return 5
}

/** The end of a number. What follows it (`01`, `1.`, `1e`) is the next reader's to refuse. */
function endOfNumber(text: string, start: number): number {
  const first = text[start] === '-' ? start + 1 : start
  const whole = text[first] === '0' ? first + 1 : skipDigits(text, first)
  if (whole === first) throw errorAt(text, start, 'Expecting value')

  const fraction = text[whole] === '.' ? skipDigits(text, whole + 1) : whole
  const mantissa = fraction > whole + 1 ? fraction : whole
  const end = endOfExponent(text, mantissa)
  if (end === whole) checkIntegerLength(whole - first)
  return end
}

function endOfExponent(text: string, at: number): number {
  if (text[at] !== 'e' && text[at] !== 'E') return at
  const digits = text[at + 1] === '+' || text[at + 1] === '-' ? at + 2 : at + 1
  const end = skipDigits(text, digits)
  return end > digits ? end : at
}

function checkIntegerLength(digits: number): void {
  if (digits <= maxIntegerDigits) return
  throw new JsonParseError(
    `Exceeds the limit (${maxIntegerDigits} digits) for integer string conversion: ` +
      `value has ${digits} digits; use sys.set_int_max_str_digits() to increase the limit`,
  )
}

/** A loop, because a regular expression over millions of digits can run out of its stack. */
function skipDigits(text: string, from: number): number {
  let at = from
  while (text.charCodeAt(at) >= 0x30 && text.charCodeAt(at) <= 0x39) at += 1
  return at
}

/**
 * The error for a fault at an index of the text, in Python's words (observed §1). Python counts
 * code points and ends lines at `\n` only: an emoji is one column, a lone `\r` is none.
 *
 * @example
 * faultAt('{"a"}', 4, "Expecting ':' delimiter").message
 * // "Expecting ':' delimiter: line 1 column 5 (char 4)"
 */
function errorAt(text: string, index: number, what: string): JsonParseError {
  const before = text.slice(0, index)
  const line = before.split('\n').length
  const column = countCodePoints(before.slice(before.lastIndexOf('\n') + 1)) + 1
  return new JsonParseError(
    `${what}: line ${line} column ${column} (char ${countCodePoints(before)})`,
  )
}
