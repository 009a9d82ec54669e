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
    checkJson(json, (token, start) => {
      if (/\d/.test(token)) return
      const lines = json.slice(0, start).split('\n')
      const column = (lines.at(-1) as string).length + 1
      throw new Error(`line ${lines.length} column ${column} (${token} is not a number in JSON)`)
    })
    return (error as Error).message
  } catch (parseError) {
    // Python's own words are for the responses of the service.
    const { message } = parseError as Error
    return message.replace(/^.*?line (\d+) column (\d+)(?: \(char .*)?/, 'line $1, column $2')
  }
}
