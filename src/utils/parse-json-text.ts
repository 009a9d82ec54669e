import { UsageError } from './errors.ts'
import { checkJson, JsonParseError } from './python/json.ts'

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
    const reason = json.trim() === '' ? 'it is empty' : describeError(json, error as Error)
    throw new UsageError(`${name} is not valid JSON: ${reason}.${advice && ` ${advice}`}`)
  }
}

/** Engines report at best an offset, so the text is checked once more. */
function describeError(json: string, { message }: Error): string {
  try {
    checkJson(json, (token, start) => {
      if (!/^-?\d/.test(token)) {
        throw new JsonParseError(`${token} is not a number in JSON`, json.slice(0, start))
      }
    })
    return message
  } catch (error) {
    const { what, place } = error as JsonParseError
    return place ? `line ${place.line}, column ${place.column} (${reasons[what] ?? what})` : message
  }
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
