import { isSeparator, stripWhiteSpace } from './text.ts'

/**
 * Python's `int(text)`, which the service uses for `limit` and `offset`. Python's integers are unbounded: beyond 2^53
 * this returns the nearest number, and beyond 1.8e308 Infinity.
 *
 * @returns undefined if Python raises a ValueError
 * @example
 * parseInteger(' +1_000 ') // 1000
 * parseInteger('1.0') // undefined
 */
export function parseInteger(text: string): number | undefined {
  if (/^[0-9]{1,15}$/.test(text)) return Number(text) // Fast path for ordinary numbers.
  const digits = integerDigits(text)
  return digits === undefined ? undefined : Number(digits)
}

/**
 * Python's `str(int(text))`, with all digits.
 *
 * @example
 * integerDigits(' +0_9007199254740993 ') // '9007199254740993'
 */
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

/**
 * Replaces the decimal digits of all scripts with ASCII digits. Python's `int()` and `\d` accept all of them.
 *
 * @example
 * toAsciiDigits('٢٠٢٤-01') // '2024-01'
 */
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
