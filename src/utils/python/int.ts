import { isSeparator, stripWhiteSpace } from './text.ts'

/**
 * Python's `int(text)`, as the service reads `limit` and `offset` (observed §3); undefined where
 * Python refuses. Python's integers have no end: beyond 2^53 the answer is the nearest number, and
 * beyond 1.8e308 it is Infinity.
 *
 * @example
 * parseInteger(' +1_000 ') // 1000
 * parseInteger('1.0') // undefined
 */
export function parseInteger(text: string): number | undefined {
  if (/^[0-9]{1,15}$/.test(text)) return Number(text) // as nearly all are
  const digits = integerDigits(text)
  return digits === undefined ? undefined : Number(digits)
}

/**
 * Every digit of it, as Python's `str(int(text))` writes them.
 *
 * @example
 * integerText(' +0_9007199254740993 ') // '9007199254740993'
 */
export function integerDigits(text: string): string | undefined {
  if (Array.from(text).some(isSeparator)) return undefined
  const digits = toAsciiDigits(stripWhiteSpace(text))
  if (!/^[+-]?[0-9]+(_[0-9]+)*$/.test(digits)) return undefined

  const number = digits.replaceAll('_', '')
  if (number.replace(/^[+-]/, '').length > maxIntegerDigits) return undefined
  return String(BigInt(number.replace(/^\+/, '')))
}

/**
 * Python reads no integer of more digits than this, and says so (observed §1).
 *
 * @example
 * '9'.repeat(mostDigits + 1) // refused by parseJson and parseInteger
 */
export const maxIntegerDigits = 4300

/**
 * Replaces each decimal digit of any script by its ASCII digit, since Python's `int()` and `\d`
 * take them all (observed §3, Python's `int()` rules).
 *
 * @example
 * toAsciiDigits('٢٠٢٤-01') // '2024-01'
 */
export function toAsciiDigits(text: string): string {
  return text.replace(/(?![0-9])\p{Nd}/gu, (digit) => String(digitValue(digit)))
}

/** Unicode assigns digits in whole runs from zero to nine, so the way back to the run's start tells. */
function digitValue(digit: string): number {
  const code = digit.codePointAt(0) ?? 0
  let start = code
  while (/\p{Nd}/u.test(String.fromCodePoint(start - 1))) start -= 1
  return (code - start) % 10
}
