import { checkJson } from './python/parse-json.ts'
import { UsageError } from './usage-error.ts'

/** What is said of a file that cannot be read. @param error as Node throws it */
export function unreadableFileError(file: string, error: unknown): UsageError {
  const { code } = error as { code?: string }
  const got = code === 'ENOENT' ? 'none' : code === 'EISDIR' ? 'a folder' : String(code)
  return new UsageError(
    `Failed to read ${file}: expected a file that can be read, got ${got}. Check the path.`,
  )
}

/**
 * What a text is that JSON.parse refuses, with the line and the column of its fault: engines tell a position at best.
 *
 * @example notJson('{\n  "now": oops\n}', error) // 'a text that is none (Expecting value: line 2 column 10)'
 */
export function describeJsonError(text: string, error: unknown): string {
  if (text.trim() === '') return 'nothing'
  return `a text that is none (${findErrorPosition(text) ?? (error as Error).message})`
}

function findErrorPosition(text: string): string | null {
  try {
    checkJson(text)
    return null
  } catch (fault) {
    return (fault as Error).message.replace(/ \(char \d+\)$/, '')
  }
}
