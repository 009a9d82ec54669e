import { readFile } from 'node:fs/promises'
import { isObject } from '../utils/json.ts'
import { UsageError } from '../utils/usage-error.ts'

/** What a command writes, and what of the same kind it may replace. */
const replaceableKinds = {
  scenario: (text: string): boolean => {
    const given: unknown = JSON.parse(text)
    return isObject(given) && Array.isArray(given.steps)
  },
  // It may be too large to be parsed as a whole.
  archive: (text: string): boolean =>
    /^\s*\{\s*"log":\s*\{.{0,200}?"name":\s*"understudy-api"/s.test(text.slice(0, 500)),
} as const

/**
 * Checks that a file may be written: it is not there, is empty, or is what the command writes.
 *
 * @param force whether any file makes way
 * @throws UsageError for any other file
 */
export async function checkReplaceable(
  file: string,
  kind: keyof typeof replaceableKinds,
  force = false,
): Promise<void> {
  if (force) return
  const text = await readFile(file, 'utf8').catch(ignoreUnreadable)
  if (text.trim() === '' || matchesKind(text, kind)) return
  const what = kind === 'scenario' ? 'a scenario' : 'an archive of ours'
  throw new UsageError(
    `Failed to write ${file}: expected no file there, or ${what}, got another one. Choose another name, or replace it with --force.`,
  )
}

/**
 * What counts as read where nothing was. Whoever may not read a file will not be able to write it either, and is told
 * then; one too large to be read is somebody's, and no file of ours as far as is known.
 */
function ignoreUnreadable({ code }: NodeJS.ErrnoException): string {
  return ['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES', 'EPERM'].includes(code ?? '') ? '' : 'too large'
}

function matchesKind(text: string, kind: keyof typeof replaceableKinds): boolean {
  try {
    return replaceableKinds[kind](text)
  } catch {
    return false
  }
}
