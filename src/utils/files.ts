import { isUtf8 } from 'node:buffer'
import fs, { type Stats } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, isAbsolute, resolve } from 'node:path'
import { isUsageError, UsageError } from './errors.ts'
import { withoutByteOrderMark } from './json.ts'
import { escapeControls } from './text.ts'

/** Reads a file as text, without a byte order mark. @throws UsageError if it is not UTF-8 @throws Error with Node's code */
export async function readText(file: string): Promise<string> {
  return textOfFile(await readFile(file), file)
}

/** @throws UsageError for other bytes: they would become replacement characters, which the next save would write */
export function textOfFile(bytes: Buffer, file: string): string {
  if (isUtf8(bytes)) return withoutByteOrderMark(bytes.toString())
  throw new UsageError(
    `${escapeControls(file)} is not UTF-8. Save it as UTF-8, or choose another file.`,
  )
}

/** Creates the error for a file that could not be read. @param error an exception of `node:fs`, or an error of the user */
export function unreadableFileError(file: string, error: unknown): UsageError {
  if (isUsageError(error)) return error
  const { code } = error as { code?: string }
  // Another file can name it.
  const name = escapeControls(file)
  if (code === 'ENOENT') {
    const elsewhere = isAbsolute(file)
      ? ''
      : ` (looked for ${escapeControls(resolve(file))}, relative to the working directory)`
    return new UsageError(`${name} not found${elsewhere}.`)
  }
  if (code === 'EISDIR') return new UsageError(`${name} is a folder. Choose a file.`)
  return new UsageError(`${name} cannot be read: ${refusalOf(error)}.`)
}

/** Returns a function that throws an error of Node as a UsageError that names the file. */
export function failToWrite(file: string): (error: unknown) => never {
  return (error) => {
    if (isUsageError(error)) throw error
    throw new UsageError(`Failed to write ${file}: ${refusalOf(error)}.`)
  }
}

/** Why the system refused to read or write a file, and what to do, without a period. @param error an exception of Node */
export function refusalOf(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  const [what, cure] = reasons[code] ?? []
  return what === undefined ? message : `${what} (${code}). ${cure}`
}

/**
 * Checks that a file can be written, and creates its folder. Neither creates nor changes the file.
 *
 * @returns false for what is no regular file, such as a pipe. It is not opened, because that can wait for a reader
 * @throws UsageError
 */
export function checkWritable(file: string): boolean {
  try {
    createFolder(dirname(file))
    const stats = fs.statSync(file, { throwIfNoEntry: false })
    if (stats && !stats.isFile() && !stats.isDirectory()) return false
    const isNew = !stats
    // Opened to append, an earlier file stays as it is.
    fs.closeSync(fs.openSync(file, 'a'))
    // Not a link to it.
    if (isNew) fs.unlinkSync(fs.realpathSync(file))
    return true
  } catch (error) {
    return failToWrite(file)(error)
  }
}

/** Unlike Node's recursive `mkdir`, it ends in `/proc`, too. */
function createFolder(folder: string) {
  const parent = dirname(folder)
  if (fs.existsSync(folder)) return
  if (parent !== folder) createFolder(parent)
  try {
    fs.mkdirSync(folder)
  } catch (error) {
    // Another process can have created it.
    if (!fs.existsSync(folder)) throw error
  }
}

const otherFile = 'Choose another file'

/** Of the usual codes: Node has messages for the others. */
const reasons: Readonly<Record<string, readonly [what: string, cure: string]>> = {
  ENOENT: ['its folder does not exist', 'Create the folder, or choose another file'],
  ENOTDIR: ['part of its path is a file', otherFile],
  EISDIR: ['it is a folder', 'Choose a file'],
  EACCES: ['permission denied', otherFile],
  EPERM: ['permission denied', otherFile],
  EBUSY: ['another program uses it', 'Close it there, or choose another file'],
  EROFS: ['the file system is read-only', otherFile],
  ENOSPC: ['the disk is full', 'Make room, or choose another file'],
}

export function isJsonFile(path: string): boolean {
  return /\.json$/i.test(path)
}

/** Undefined for a file that does not exist, or whose folder cannot be read. */
export function statsOf(file: string): Stats | undefined {
  try {
    return fs.statSync(file, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
