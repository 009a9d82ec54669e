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
