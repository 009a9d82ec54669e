import { realpathSync, type Stats, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { UsageError, unexpectedValue } from '../utils/errors.ts'

/** The kinds of files that commands write, by what only they contain. Other files are overwritten only with `--force`. */
const kinds = {
  scenario: ['a scenario', /"steps"\s*:/],
  archive: ['an archive of understudy-api', /"name":\s*"understudy-api"/],
  settings: ['a setting file', /"settings"\s*:[\s\S]*"open"\s*:/],
} as const

/** What a file of a command is for: it is read, or written. `any` overwrites any file, and so does a report, whose folder is created. */
export type FileUse = 'read' | 'any' | 'report' | keyof typeof kinds

/** A file of a command line. */
export interface NamedFile {
  /** The flag that names it. Undefined for an argument */
  readonly flag?: string
  readonly file: string
  readonly use: FileUse
}

/**
 * Checks the files of a command line before the command runs: each has a name, and each that it writes has a folder, is
 * no other file of the command, and replaces only one of its kind.
 *
 * @throws UsageError
 */
export async function checkFiles(files: readonly NamedFile[], force = false): Promise<void> {
  for (const named of files) {
    const { flag, file, use } = named
    // As of `--state "$FILE"`, if the variable is not set.
    if (file === '') throw unexpectedValue(`read ${flag ?? 'the file'}`, 'the name of a file', file)
    if (use === 'read') continue
    const stats = statsOf(file)
    const names = `${flag} names ${file}`
    // A device such as a terminal can be read and written.
    const isOther = stats?.isFile() === false
    if (!isOther && files.some((one) => one !== named && pathOf(one.file) === pathOf(file))) {
      throw new UsageError(`${names}, which the command uses, too. Choose another file.`)
    }
    if (stats?.isDirectory()) throw new UsageError(`${names}, which is a folder. Choose a file.`)
    const folder = dirname(file)
    const place = statsOf(folder)
    // The folder of a report is created.
    if (!place?.isDirectory() && (place || use !== 'report')) {
      throw new UsageError(
        `${names}, but ${folder} is no folder. Create it, or choose another file.`,
      )
    }
    if (use === 'any' || use === 'report' || force || !stats || isOther) continue
    const [name, pattern] = kinds[use]
    const text = await readFile(file, 'utf8').catch(() => 'unreadable')
    if (text.trim() === '' || pattern.test(text)) continue
    throw new UsageError(
      `${file} already exists, and is not ${name}. Choose another name with ${flag}, or overwrite it with --force.`,
    )
  }
}

/** A path without links, as far as the file exists. */
function pathOf(file: string): string {
  return statsOf(file) ? realpathSync(file) : resolve(file)
}

/** Undefined for a file that does not exist, or whose folder cannot be read. */
function statsOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
