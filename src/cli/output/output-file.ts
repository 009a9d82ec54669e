import { writevSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isObject, tryParseJson } from '../../utils/json.ts'
import { UsageError } from '../../utils/usage-error.ts'

/**
 * Checks that a file can be overwritten: it does not exist, is empty, or is of the kind that the command writes.
 *
 * @param force whether any file can be overwritten
 * @throws UsageError for any other file
 */
export async function checkReplaceable(
  file: string,
  kind: 'scenario' | 'archive',
  force = false,
): Promise<void> {
  if (force) return
  const text = await readFile(file, 'utf8').catch(textOfUnreadable)
  if (text.trim() === '' || (kind === 'scenario' ? isScenario(text) : isArchive(text))) return
  const name = kind === 'scenario' ? 'a scenario' : 'an archive of understudy-api'
  throw new UsageError(
    `${file} already exists, and is not ${name}. Choose another name, or overwrite it with --force.`,
  )
}

/** A file that cannot be read fails when it is written. Any other, such as one that is too large, is not overwritten. */
function textOfUnreadable({ code }: NodeJS.ErrnoException): string {
  return ['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES', 'EPERM'].includes(code ?? '') ? '' : 'too large'
}

function isScenario(text: string): boolean {
  const value = tryParseJson(text)?.value
  return isObject(value) && Array.isArray(value.steps)
}

/** An archive may be too large to parse. */
function isArchive(text: string): boolean {
  return /^\s*\{\s*"log":\s*\{.{0,200}?"name":\s*"understudy-api"/s.test(text.slice(0, 500))
}

/**
 * Returns a function that throws an error of Node as a UsageError, and any other error as it is.
 *
 * @example await writeFile(file, text).catch(failToWrite(file))
 */
export function failToWrite(file: string): (error: unknown) => never {
  return (error) => {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === undefined) throw error
    const reason = reasons[code]
    throw new UsageError(`Failed to write ${file}: ${reason ? `${reason} (${code})` : message}.`)
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'part of its path is a file',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
}

/** Writes all buffers from an offset on. */
export function writeAll(descriptor: number, buffers: readonly Buffer[], start: number): void {
  const whole = buffers.length < 512 ? buffers : [Buffer.concat(buffers)]
  const written = writevSync(descriptor, whole as Buffer[], start)
  if (written === whole.reduce((sum, buffer) => sum + buffer.length, 0)) return
  writeAll(descriptor, [Buffer.concat(whole).subarray(written)], start + written)
}
