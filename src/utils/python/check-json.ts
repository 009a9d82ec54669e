import { countCodePoints, maxIntegerDigits } from './text.ts'

/** A place in a text, counted from 0 in code points. */
export interface TextPlace {
  readonly char: number
  readonly line: number
  readonly column: number
}

/** Invalid JSON. The message is Python's own; the service puts `JSON parse error - ` in front of it. */
export class JsonParseError extends Error {
  override readonly name = 'JsonParseError'
  /** The message without the place */
  readonly what: string
  /** The place; undefined if it is not known, and for an error of the whole text */
  readonly place: TextPlace | undefined
  /** The index of the first invalid character; undefined for an error of the whole text */
  readonly index: number | undefined

  constructor(what: string, index?: number, place?: TextPlace) {
    super(
      place
        ? `${what}: line ${place.line + 1} column ${place.column + 1} (char ${place.char})`
        : what,
    )
    this.what = what
    this.place = place
    this.index = index
  }

  /** The same error at a place of a larger text. */
  at(place: TextPlace): JsonParseError {
    return new JsonParseError(this.what, this.index, place)
  }
}

/**
 * Returns the place behind a text that starts at another place. Python counts code points and ends lines at `\n` only: an
 * emoji is one column, and `\r` begins no new line.
 */
export function placeAfter(text: string, start?: TextPlace): TextPlace {
  const { char, line, column } = start ?? { char: 0, line: 0, column: 0 }
  const lines = text.split('\n')
  const last = countCodePoints(lines.at(-1) ?? '')
  return {
    char: char + countCodePoints(text),
    line: line + lines.length - 1,
    column: lines.length === 1 ? column + last : last,
  }
}

const closing = { '{': '}', '[': ']' } as const
type Bracket = keyof typeof closing

/** The open brackets, and where the key of the current value starts. */
type Open = Bracket[] & { keyStart?: number }

/** Called for each number and constant. @param field the name, for a value of the outermost object */
type OnNumber = (token: string, start: number, field: string | undefined) => void

/**
 * Checks a JSON text by the rules of Python's parser. It keeps a list of open brackets instead of recursing, so deep
 * nesting cannot overflow the stack.
 *
 * @param onNumber decides about `NaN`, `Infinity` and `-Infinity`, too. By default they are errors
 * @throws JsonParseError for the first error in the text
 */
export function checkJson(text: string, onNumber: OnNumber = rejectConstant): void {
  if (text.startsWith('\ufeff')) {
    throw errorAt(text, 0, 'Unexpected UTF-8 BOM (decode using utf-8-sig)')
  }

  const open: Open = []
  let next: number | undefined = skipSpace(text, 0)
  while (next !== undefined) {
    const bracket: string | undefined = text[next]
    if (bracket !== '{' && bracket !== '[') {
      const end = endOfScalar(text, next)
      if (isNumberStart.test(bracket ?? ''))
        onNumber(text.slice(next, end), next, field(text, open))
      next = nextValueStart(text, end, open)
      continue
    }
    const inside: number = skipSpace(text, next + 1)
    if (text[inside] === closing[bracket]) next = nextValueStart(text, inside + 1, open)
    else {
      open.push(bracket)
      next = valueStartAfterKey(text, inside, open)
    }
  }
}

/** Returns the start of the next value, or undefined at the end of the text. */
function nextValueStart(text: string, end: number, open: Open): number | undefined {
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

/** In an object, returns the start of the value behind the key at an index; in a list, the index itself. */
function valueStartAfterKey(text: string, at: number, open: Open): number {
  if (open.at(-1) === '[') return at
  if (text[at] !== '"') {
    throw errorAt(text, at, 'Expecting property name enclosed in double quotes')
  }
  open.keyStart = at
  const colon = skipSpace(text, endOfString(text, at))
  if (text[colon] !== ':') throw errorAt(text, colon, "Expecting ':' delimiter")
  return skipSpace(text, colon + 1)
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at += 1
  return at
}

const isNumberStart = /[-0-9NI]/

function field(text: string, { length, 0: outermost, keyStart = 0 }: Open): string | undefined {
  if (length !== 1 || outermost !== '{') return undefined
  return JSON.parse(text.slice(keyStart, endOfString(text, keyStart)))
}

/** The numbers that only Python's parser accepts, and their `str()`. */
export const constants: Readonly<Record<string, string>> = {
  NaN: 'nan',
  Infinity: 'inf',
  '-Infinity': '-inf',
}

/** Django REST Framework rejects the constants by name, unless it is set up otherwise. */
export function rejectConstant(token: string): void {
  if (constants[token] === undefined) return
  throw new JsonParseError(`Out of range float values are not JSON compliant: '${token}'`)
}

/** Returns the end of the string, number, null, boolean or constant at an index. */
function endOfScalar(text: string, at: number): number {
  if (text[at] === '"') return endOfString(text, at)
  const words = ['null', 'true', 'false', ...Object.keys(constants)]
  const word = words.find((known) => text.startsWith(known, at))
  return word === undefined ? endOfNumber(text, at) : at + word.length
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '"') return at + 1
    if (text[at] === '\\') at += escapeLength(text, at, start)
    else if (text.charCodeAt(at) < 0x20) throw errorAt(text, at, 'Invalid control character at')
  }
  throw errorAt(text, start, 'Unterminated string starting at')
}

/** Returns how many characters of an escape sequence follow the backslash at an index. */
function escapeLength(text: string, at: number, start: number): number {
  const letter = text[at + 1]
  if (letter === undefined) throw errorAt(text, start, 'Unterminated string starting at')
  if (letter !== 'u') {
    if ('"\\/bfnrt'.includes(letter)) return 1
    throw errorAt(text, at, 'Invalid \\escape')
  }
  // Python requires at least one character after the four digits, such as the closing quote.
  const complete = at + 6 < text.length && /^[0-9a-fA-F]{4}$/.test(text.slice(at + 2, at + 6))
  if (!complete) throw errorAt(text, at + 1, 'Invalid \\uXXXX escape')
  return 5
}

/** Returns the end of a number. In `01`, `1.` and `1e` it ends after the first digit, and the rest is rejected later. */
function endOfNumber(text: string, start: number): number {
  const first = text[start] === '-' ? start + 1 : start
  const whole = text[first] === '0' ? first + 1 : skipDigits(text, first)
  if (whole === first) throw errorAt(text, start, 'Expecting value')

  const fraction = text[whole] === '.' ? skipDigits(text, whole + 1) : whole
  const mantissa = fraction > whole + 1 ? fraction : whole
  const end = endOfExponent(text, mantissa)
  const digits = whole - first
  if (end > whole || digits <= maxIntegerDigits) return end
  throw new JsonParseError(
    `Exceeds the limit (${maxIntegerDigits} digits) for integer string conversion: ` +
      `value has ${digits} digits; use sys.set_int_max_str_digits() to increase the limit`,
  )
}

function endOfExponent(text: string, at: number): number {
  if (text[at] !== 'e' && text[at] !== 'E') return at
  const digits = text[at + 1] === '+' || text[at + 1] === '-' ? at + 2 : at + 1
  const end = skipDigits(text, digits)
  return end > digits ? end : at
}

/** A loop, because a regular expression over millions of digits can overflow its stack. */
function skipDigits(text: string, from: number): number {
  let at = from
  while (text.charCodeAt(at) >= 0x30 && text.charCodeAt(at) <= 0x39) at += 1
  return at
}

function errorAt(text: string, index: number, what: string): JsonParseError {
  return new JsonParseError(what, index, placeAfter(text.slice(0, index)))
}
