import { isAbsolute } from 'node:path'
import { UsageError } from './usage-error.ts'

/**
 * Creates the error for a file that could not be read.
 *
 * @param error an exception of `node:fs`
 * @example unreadableFileError('story.json', error).message // story.json not found (looked in /home/ada/shop).
 */
export function unreadableFileError(file: string, error: unknown): UsageError {
  const { code } = error as { code?: string }
  if (code === 'ENOENT') {
    const folder = isAbsolute(file) ? '' : ` (looked in ${process.cwd()})`
    return new UsageError(`${file} not found${folder}.`)
  }
  if (code === 'EISDIR') return new UsageError(`${file} is a folder. Choose a file.`)
  return new UsageError(`${file} cannot be read (${code}).`)
}
