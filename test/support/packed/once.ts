import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * Runs a function once for all test files of a run, which run in several processes. The others wait for its result. If
 * it fails, the next caller tries again.
 *
 * @param folder for the lock and the result
 * @param make returns a value that can be written as JSON
 */
export async function runOnce<T>(folder: string, name: string, make: () => Promise<T>): Promise<T> {
  const [making, made] = [join(folder, `${name}.making`), join(folder, `${name}.made`)]
  while (!existsSync(made)) {
    if (!take(making)) {
      await pause(50)
      continue
    }
    try {
      if (existsSync(made)) break
      writeFileSync(`${made}.part`, JSON.stringify(await make()))
      renameSync(`${made}.part`, made)
    } finally {
      rmdirSync(making)
    }
  }
  return JSON.parse(readFileSync(made, 'utf8'))
}

/** Creates a folder as a lock. @returns false if another process has the lock */
function take(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIST') return false
    throw error
  }
}
