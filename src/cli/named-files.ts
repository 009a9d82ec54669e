import { type BigIntStats, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { UsageError, unexpectedValue } from '../utils/errors.ts'
import { isObject, tryParseJson } from '../utils/json.ts'

/**
 * What a file of a command is for: it is read, or written if an earlier one is of a kind. `any` has no kind, and neither
 * has a report, whose folder is created.
 */
export type FileUse = 'read' | 'any' | 'report' | keyof typeof replaceable

/** A file of a command line. */
export interface NamedFile {
  /** The flag that names it. Undefined for an argument */
  readonly flag?: string
  readonly file: string
  readonly use: FileUse
}

/**
 * Checks the files of a command line before the command runs: each has a name, each that it writes has a folder, no two
 * of those are the same, none is one that it reads, and earlier ones are of the same kind.
 *
 * @throws UsageError
 */
export async function checkFiles(files: readonly NamedFile[], force?: boolean): Promise<void> {
  const written: NamedFile[] = []
  for (const named of files) {
    const { flag, file, use } = named
    // As of `--state "$FILE"`, if the variable is not set.
    if (file === '') throw unexpectedValue(`read ${flag ?? 'the file'}`, 'the name of a file', file)
    if (use === 'read') continue
    if (files.some((other) => other.use === 'read' && isSameFile(other.file, file))) {
      throw new UsageError(`${flag} names ${file}, which the command reads. Choose another file.`)
    }
    const same = written.find((other) => isSameFile(other.file, file))
    if (same) {
      throw new UsageError(
        `${same.flag} and ${flag} name the same file, ${same.file}. Choose two files.`,
      )
    }
    checkFolder(named)
    written.push(named)
  }
  for (const named of written) {
    const { use } = named
    if (use in replaceable) await checkReplaceable(named, use as keyof typeof replaceable, force)
  }
}

function checkFolder({ flag, file, use }: NamedFile): void {
  if (statsOf(file)?.isDirectory()) {
    throw new UsageError(`${flag} names ${file}, which is a folder. Choose a file.`)
  }
  const folder = dirname(file)
  const stats = statsOf(folder)
  if (stats?.isDirectory()) return
  if (!stats && use === 'report') return
  if (stats) {
    throw new UsageError(`${flag} names ${file}, but ${folder} is a file. Choose another folder.`)
  }
  throw new UsageError(
    `${flag} names ${file}, but the folder ${folder} does not exist. Create the folder, or choose another file.`,
  )
}

/** Whether two paths lead to one file, also through a link. A device such as a terminal can be read and written. */
function isSameFile(a: string, b: string): boolean {
  const [one, other] = [a, b].map(statsOf)
  if (!one || !other) return resolve(a) === resolve(b)
  return one.isFile() && other.isFile() && one.dev === other.dev && one.ino === other.ino
}

/** Checks that a file does not exist, is empty, or is of the kind that the command writes. @throws UsageError */
async function checkReplaceable(
  { flag, file }: NamedFile,
  kind: keyof typeof replaceable,
  force = false,
): Promise<void> {
  // A device or a pipe has no earlier content.
  if (force || statsOf(file)?.isFile() === false) return
  const text = await readFile(file, 'utf8').catch(textOfUnreadable)
  const { name, isOurs } = replaceable[kind]
  if (text.trim() === '' || isOurs(text)) return
  throw new UsageError(
    `${file} already exists, and is not ${name}. Choose another name with ${flag}, or overwrite it with --force.`,
  )
}

/** Null for a file that does not exist, or whose folder cannot be read. */
function statsOf(file: string): BigIntStats | null {
  try {
    return statSync(file, { bigint: true })
  } catch {
    return null
  }
}

const replaceable = {
  scenario: { name: 'a scenario', isOurs: hasField('steps', Array.isArray) },
  archive: { name: 'an archive of understudy-api', isOurs: isArchive },
  settings: { name: 'a setting file', isOurs: hasField('settings', isObject, 'open') },
} as const

/** A file that cannot be read fails when it is written. Any other, such as one that is too large, is not overwritten. */
function textOfUnreadable({ code }: NodeJS.ErrnoException): string {
  return ['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES', 'EPERM'].includes(code ?? '') ? '' : 'too large'
}

/** Whether a text is a JSON object with a field, and with another one of any value. */
function hasField(
  name: string,
  test: (value: unknown) => boolean,
  other = name,
): (text: string) => boolean {
  return (text) => {
    const value = tryParseJson(text)?.value
    return isObject(value) && test(value[name]) && other in value
  }
}

/** An archive may be too large to parse. */
function isArchive(text: string): boolean {
  return /^\s*\{\s*"log":\s*\{.{0,200}?"name":\s*"understudy-api"/s.test(text.slice(0, 500))
}
