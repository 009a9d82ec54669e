/**
 * Whether Python would have read this number as an `int`. From 1e21 on JavaScript itself writes an
 * exponent, and so most likely did who sent it: that is a `float` (observed §4).
 *
 * @example
 * isInteger(1e21) // false
 */
export function isPythonInt(value: number): boolean {
  return Number.isInteger(value) && Math.abs(value) < 1e21
}

/**
 * Python's `repr()` of a number (observed §4, numbers become text).
 *
 * @note Of an integer beyond 2^53 only JavaScript's nearest number is left to write.
 *
 * @example
 * numberText(0.00001) // '1e-05'
 */
export function numberRepr(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf'
  if (isPythonInt(value)) return String(value)

  const size = Math.abs(value)
  if (size >= 1e-4 && size < 1e16) return String(value)
  return value.toExponential().replace(/(?<=e[+-])(?=\d$)/, '0')
}
