import { closeSync, openSync, readSync, realpathSync, type Stats, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { UsageError, unexpectedValue } from '../utils/errors.ts'
import { checkWritable, refusalOf, statsOf } from '../utils/files.ts'
import { isStdin } from '../utils/input.ts'
import { checkExtension } from '../utils/reports/printers.ts'

/** What a file of a command is for: it is read, or written as JSON or a report. The folder of a report is created. */
export type FileUse = 'read' | 'write' | 'report'

/** A file of a command line. */
export interface NamedFile {
  /** The flag that names it. Undefined for an argument */
  readonly flag?: string
  readonly file: string
  readonly use: FileUse
}

/**
 * Checks the files of a command line before the command runs. Each has a name. Each that it writes has a folder, is no
 * other file of the command, can be written, and replaces only a file of its kind. A report can replace any file.
 *
 * @throws UsageError
 */
export function checkFiles(files: readonly NamedFile[]): void {
  for (const named of files) {
    const { flag, file, use } = named
    // As of `--state "$FILE"`, if the variable is not set.
    // No output goes to stdin.
    if (file === '' || (use !== 'read' && isStdin(file)))
      throw unexpectedValue(`read ${flag ?? 'the file'}`, 'the name of a file', file)
    if (use === 'read') continue
    const names = `${flag} names ${file}`
    const stats = reachableStats(file, names)
    // A device such as a terminal can be read and written.
    const isOther = stats?.isFile() === false
    if (!isOther && files.some((used) => used !== named && pathOf(used.file) === pathOf(file))) {
      throw new UsageError(`${names}, which the command uses, too. Choose another file.`)
    }
    if (stats?.isDirectory()) throw new UsageError(`${names}, which is a folder. Choose a file.`)
    if (use !== 'report' && stats && !isOther && !isLikeJson(file, names)) {
      throw new UsageError(`${names}, which exists and is not JSON. Choose another file.`)
    }
    const folder = dirname(file)
    const folderStats = reachableStats(folder, names)
    // The folder of a report is created.
    if (!folderStats?.isDirectory() && (folderStats || use !== 'report')) {
      throw new UsageError(
        `${names}, but ${folder} is no folder. Create it, or choose another file.`,
      )
    }
    if (use === 'report') checkExtension(file, `read ${flag}`)
    checkWritable(file)
  }
}

/** Undefined for a file that does not exist. @throws UsageError for one that the user may not reach */
function reachableStats(file: string, names: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined
    throw new UsageError(`${names}, but ${refusalOf(error)}.`)
  }
}

/** Whether a file is empty, or begins like JSON. @throws UsageError for one that cannot be read */
function isLikeJson(file: string, names: string): boolean {
  try {
    const start = Buffer.alloc(100)
    const descriptor = openSync(file, 'r')
    const length = readSync(descriptor, start)
    closeSync(descriptor)
    return length === 0 || /^\s*\{/.test(start.toString('utf8', 0, length))
  } catch (error) {
    throw new UsageError(`${names}, but ${refusalOf(error)}.`)
  }
}

/** A path without links, as far as the file exists. */
function pathOf(file: string): string {
  return statsOf(file) ? realpathSync(file) : resolve(file)
}
