import { isAbsolute } from 'node:path'
import process from 'node:process'
import { UsageError } from '../utils/errors.ts'
import { statsOf } from '../utils/files.ts'
import { escapeControls, shortList } from '../utils/text.ts'

/** How many files a message names. */
const maxNamed = 3

/**
 * Finds the files of an argument. A shell expands patterns such as `scenarios/*.json`, but no shell of Windows does.
 *
 * @returns the files in the order of their names. A name without `*`, `?`, `[` or `{`, and one that a file has, stays as it is
 * @throws UsageError for a pattern that no file matches
 */
export async function expandPattern(text: string): Promise<string[]> {
  if (!/[*?[{]/.test(text) || statsOf(text)) return [text]
  const { glob } = await import('tinyglobby')
  const isWindows = process.platform === 'win32'
  const files = await glob(isWindows ? text.replaceAll('\\', '/') : text, {
    absolute: isAbsolute(text),
    expandDirectories: false,
    caseSensitiveMatch: !isWindows,
  })
  if (files.length === 0) throw new UsageError(`No file matches ${escapeControls(text)}.`)
  return files.sort()
}

/** Finds the file of an argument that takes one. @throws UsageError for a pattern that another number of files matches */
export async function expandToOne(text: string): Promise<string> {
  const files = await expandPattern(text)
  const [file = text] = files
  if (files.length === 1) return file
  const names = shortList(files.map(escapeControls), maxNamed).join(', ')
  throw new UsageError(
    `${escapeControls(text)} matches ${files.length} files: ${names}. Name one of them.`,
  )
}
