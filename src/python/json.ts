import { mostDigits } from './digits.ts'
import { JsonError } from './json-error.ts'
import { checkJson } from './json-fault.ts'

/** The look-behind starts one try per run of digits: without it, many long runs take minutes. */
const longInteger = new RegExp(`(?<![0-9])[0-9]{${mostDigits + 1}}`)

/**
 * Reads JSON as the service does: what is refused is refused with the words of Python 3.11, and
 * `NaN`, `Infinity` and `-Infinity` with those of Django REST Framework (observed §1).
 *
 * @note JSON.parse has no recursion limit. Python has: it crashes (a 500) at some 1,000 levels,
 * where this returns the value.
 *
 * @example
 * parseJson('{"content": "Release 1.0"}') // { content: 'Release 1.0' }
 * parseJson('{"content": ') // JsonError: Expecting value: line 1 column 13 (char 12)
 */
export function parseJson(text: string): unknown {
  const value = parse(text)
  if (text.length > mostDigits && longInteger.test(text)) checkJson(text)
  return value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    checkJson(text)
    // Only an engine that gives up on deep nesting comes here; Python would have done so earlier.
    throw new JsonError('maximum recursion depth exceeded while decoding a JSON value')
  }
}
