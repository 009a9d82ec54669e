import { JsonParseError } from './json-error.ts'
import { countCodePoints } from './text.ts'

/**
 * The error for a fault at an index of the text, in Python's words (observed §1). Python counts
 * code points and ends lines at `\n` only: an emoji is one column, a lone `\r` is none.
 *
 * @example
 * faultAt('{"a"}', 4, "Expecting ':' delimiter").message
 * // "Expecting ':' delimiter: line 1 column 5 (char 4)"
 */
export function errorAt(text: string, index: number, what: string): JsonParseError {
  const before = text.slice(0, index)
  const line = before.split('\n').length
  const column = countCodePoints(before.slice(before.lastIndexOf('\n') + 1)) + 1
  return new JsonParseError(
    `${what}: line ${line} column ${column} (char ${countCodePoints(before)})`,
  )
}
