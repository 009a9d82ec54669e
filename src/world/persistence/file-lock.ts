import { open, readFile, realpath, rm, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import process from 'node:process'
import { UsageError } from '../../utils/errors.ts'
import { repeat, wait } from '../../utils/wait.ts'
import { Clock } from '../clock/clock.ts'

/** How often the owner of a lock touches it, and how long one that nobody touches is watched, in milliseconds. */
const [beat, patience, look] = [1_000, 3_000, 100]

/**
 * Takes a file for one server: `FILE.lock` beside it says that it is used. A lock whose process ended, or that nobody
 * touches, is replaced, as after a `kill -9` or in another container.
 *
 * @returns a function that frees the file
 * @throws UsageError if another server uses the file
 */
export async function lockFile(file: string): Promise<() => Promise<void>> {
  const lock = `${await realpath(file).catch(() => file)}.lock`
  const owner = `${process.pid} ${hostname()}`
  while (!(await createLock(lock, owner))) {
    if (await isUsed(lock)) {
      const [id, host] = (await readOwner(lock)).split(' ')
      throw new UsageError(
        `The state file ${file} is used by another server: process ${id} on ${host}. Stop it, or choose another file.`,
      )
    }
    await rm(lock, { force: true })
  }
  const stop = repeat(beat, () => {
    const now = new Clock().now() / 1000
    utimes(lock, now, now).catch(() => {})
  })
  let isHeld = true
  return async () => {
    stop()
    // A process that was stopped for a while can have lost it.
    if (isHeld && (await readOwner(lock)) === owner) await rm(lock, { force: true })
    isHeld = false
  }
}

function readOwner(lock: string): Promise<string> {
  return readFile(lock, 'utf8').catch(() => '')
}

/** @returns false if there is one. A folder that takes none, such as one of a full disk, says so when the file is saved */
async function createLock(lock: string, owner: string): Promise<boolean> {
  try {
    const handle = await open(lock, 'wx', 0o600)
    await handle.writeFile(owner).finally(() => handle.close())
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EEXIST'
  }
}

/** Whether the owner of a lock lives. Of a process on another machine, or with an id that was given again, its touch says it. */
async function isUsed(lock: string): Promise<boolean> {
  const [id, host] = (await readOwner(lock)).split(' ')
  if (host === hostname() && !isRunning(Number(id))) return false
  const touched = await touchTime(lock)
  for (let waited = 0; waited < patience; waited += look) {
    await wait(look)
    const now = await touchTime(lock)
    if (now !== touched) return now !== null
  }
  return false
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function touchTime(lock: string): Promise<number | null> {
  return stat(lock).then(
    ({ mtimeMs }) => mtimeMs,
    () => null,
  )
}
