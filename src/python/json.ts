import { maxIntegerDigits } from './digits.ts'
import { JsonParseError } from './json-error.ts'
import { checkJson } from './json-fault.ts'
import { jsonLevels } from './levels.ts'

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
