import {
  checkJson,
  constants,
  JsonParseError,
  placeAfter,
  type TextPlace,
} from './python/check-json.ts'
import { UsageError } from './usage-error.ts'

/**
 * Parses the JSON text of a file. A byte order mark, which some editors write, is ignored.
 *
 * @param name the file, for the message
 * @param advice what to do about invalid JSON
 * @throws UsageError with the position of the first error
 */
export function parseJsonText(text: string, name: string, advice = ''): unknown {
  const json = text.replace(/^\uFEFF/, '')
  try {
    return JSON.parse(json)
  } catch (error) {
    const placeOf = (index: number) => placeAfter(json.slice(0, index))
    throw invalidJsonError(
      json,
      locateError(json, error, rejectConstantInFile, placeOf),
      name,
      advice,
    )
  }
}

/**
 * Finds the first error of an invalid text: engines report at best an offset, so it is checked once more.
 *
 * @param thrown what is returned for a text that Python's parser accepts
 * @param placeOf returns the place of an index of this text in the whole text
 */
export function locateError(
  text: string,
  thrown: unknown,
  onConstant: (token: string, index: number) => void,
  placeOf: (index: number) => TextPlace,
): unknown {
  try {
    checkJson(text, onConstant)
    return thrown
  } catch (error) {
    const { index } = error as JsonParseError
    return index === undefined ? error : (error as JsonParseError).at(placeOf(index))
  }
}

/** Only Python's parser accepts the constants. */
export function rejectConstantInFile(token: string, index: number): void {
  if (constants[token] === undefined) return
  throw new JsonParseError(`${token} is not a number in JSON`, index)
}

/** @param text the JSON text, or its beginning */
export function invalidJsonError(
  text: string,
  error: unknown,
  name: string,
  advice = '',
): UsageError {
  const reason = text.trim() === '' ? 'it is empty' : describeError(error as Error)
  return new UsageError(`${name} is not valid JSON: ${reason}.${advice && ` ${advice}`}`)
}

/** Python's own words are for the responses of the service. */
const reasons: Readonly<Record<string, string>> = {
  'Expecting value': 'expected a value',
  "Expecting ',' delimiter": 'expected a comma or a closing bracket',
  "Expecting ':' delimiter": 'expected a colon',
  'Expecting property name enclosed in double quotes': 'expected a name in double quotes',
  'Extra data': 'expected the end',
  'Unterminated string starting at': 'the string that begins there does not end',
  'Invalid control character at': 'a control character in a string',
  'Invalid \\escape': 'an invalid escape',
  'Invalid \\uXXXX escape': 'an invalid escape',
}

function describeError(error: Error): string {
  const { what = '', place } = error as Partial<JsonParseError>
  if (!place) return error.message
  return `line ${place.line + 1}, column ${place.column + 1} (${reasons[what] ?? what})`
}
