import { readFile } from 'node:fs/promises'
import { isObject } from '../utils/json.ts'
import { UsageError } from '../utils/usage-error.ts'

/** The kinds of files that commands write, and how each is recognized. */
const kinds = {
  scenario(text: string): boolean {
    const value: unknown = JSON.parse(text)
    return isObject(value) && Array.isArray(value.steps)
  },
  // An archive may be too large to parse.
  archive: (text: string): boolean =>
    /^\s*\{\s*"log":\s*\{.{0,200}?"name":\s*"understudy-api"/s.test(text.slice(0, 500)),
} as const

/**
 * Checks that a file can be overwritten: it does not exist, is empty, or is of the kind that the command writes.
 *
 * @param force whether any file can be overwritten
 * @throws UsageError for any other file
 */
export async function checkReplaceable(
  file: string,
  kind: keyof typeof kinds,
  force = false,
): Promise<void> {
  if (force) return
  const text = await readFile(file, 'utf8').catch(textOfUnreadable)
  if (text.trim() === '' || isKind(text, kind)) return
  const name = kind === 'scenario' ? 'a scenario' : 'an archive of understudy-api'
  throw new UsageError(
    `${file} already exists, and is not ${name}. Choose another name, or overwrite it with --force.`,
  )
}

/** A file that cannot be read fails when it is written. Any other, such as one that is too large, is not overwritten. */
function textOfUnreadable({ code }: NodeJS.ErrnoException): string {
  return ['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES', 'EPERM'].includes(code ?? '') ? '' : 'too large'
}

function isKind(text: string, kind: keyof typeof kinds): boolean {
  try {
    return kinds[kind](text)
  } catch {
    return false
  }
}
