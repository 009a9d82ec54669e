import { UsageError } from './errors.ts'
import { withoutByteOrderMark } from './json.ts'
import { checkJson } from './python-json.ts'

/**
 * Parses the JSON text of a file. A byte order mark, which some editors write, is ignored.
 *
 * @param name the file, for the message
 * @param advice what to do about invalid JSON
 * @throws UsageError with the position of the first error
 */
export function parseJsonText(text: string, name: string, advice = ''): unknown {
  const json = withoutByteOrderMark(text)
  try {
    return JSON.parse(json)
  } catch (error) {
    const reason = findError(json) ?? (error as Error).message
    throw new UsageError(`${name} is not valid JSON: ${reason}.${advice && ` ${advice}`}`)
  }
}

/** Engines report at best an offset, so the text is checked once more. Null for a text that only they refuse. */
function findError(json: string): string | null {
  try {
    checkJson(json)
    return null
  } catch (error) {
    return (error as Error).message
  }
}
