import { checkJson } from './python/check-json.ts'
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
    const reason = json.trim() === '' ? 'it is empty' : describeError(json, error)
    throw new UsageError(`${name} is not valid JSON: ${reason}.${advice && ` ${advice}`}`)
  }
}

/** Engines report at best an offset, so the text is parsed once more for line and column. */
function describeError(json: string, error: unknown): string {
  try {
    checkJson(json)
    return (error as Error).message
  } catch (parseError) {
    return (parseError as Error).message.replace(
      /^(.*?)(?: starting at| at)?: line (\d+) column (\d+) .*$/,
      'line $2, column $3 ($1)',
    )
  }
}
