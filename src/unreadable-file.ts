import { UsageError } from './usage-error.ts'

/** What is said of a file that cannot be read. @param error as Node throws it */
export function unreadableFileError(file: string, error: unknown): UsageError {
  const { code } = error as { code?: string }
  const got = code === 'ENOENT' ? 'none' : code === 'EISDIR' ? 'a folder' : String(code)
  return new UsageError(
    `Failed to read ${file}: expected a file that can be read, got ${got}. Check the path.`,
  )
}
