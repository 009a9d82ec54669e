import { existsSync, mkdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * Makes something once for all test files of a run, which are in several processes: who comes later waits for it.
 * Where making it fails, the next one tries again.
 *
 * @param folder where files beside one another tell who makes it, and what came of it
 * @param make gives what can be told as JSON
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

/** Whether nobody had it. */
function take(folder: string): boolean {
  try {
    mkdirSync(folder)
    return true
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIST') return false
    throw error
  }
}
