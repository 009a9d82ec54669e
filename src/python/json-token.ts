import { maxIntegerDigits } from './digits.ts'
import { JsonParseError } from './json-error.ts'
import { errorAt } from './json-position.ts'

/** Python's reader knows these three; Django REST Framework refuses them by name. */
const constants = ['NaN', 'Infinity', '-Infinity'] as const

/** The end of a string, number or word that starts at `at`, read as Python reads it. */
export function endOfScalar(text: string, at: number): number {
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
export function endOfString(text: string, start: number): number {
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
