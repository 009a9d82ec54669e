import { open, readdir, readFile, realpath, rename, rm, stat, utimes } from 'node:fs/promises'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { UsageError } from '../../utils/errors.ts'
import { failToWrite } from '../../utils/files.ts'
import { repeat, wait } from '../../utils/wait.ts'
import { Clock } from '../clock/clock.ts'

/** How often the owner of a lock touches it, and how long one that nobody touches is watched, in milliseconds. */
const [beat, patience, look] = [1_000, 3_000, 100]

/**
 * Takes a file for one server: `FILE.lock` beside it says that it is used. A lock whose process ended, or that nobody
 * touches, is replaced, as after a `kill -9` or in another container. So are the files that such a server began to write.
 *
 * @returns a function that frees the file
 * @throws UsageError if another server uses the file
 */
export async function lockFile(file: string): Promise<() => Promise<void>> {
  const target = await realpath(file).catch(() => file)
  const lock = `${target}.lock`
  // The time tells a process from an earlier one with its id.
  const owner = `${process.pid} ${hostname()} ${new Clock('real').now()}`
  if (!(await take(lock, owner))) {
    const [id, host] = (await readOwner(lock)).split(' ')
    throw new UsageError(
      `The state file ${file} is used by another server: process ${id} on ${host}. Stop it, or choose another file.`,
    )
  }
  await removeLeftovers(target)
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

/**
 * Takes a lock. Of several that find the lock of the same dead owner, only the one that takes the successor of that
 * owner, which is a lock as well, puts it in the place of the dead one.
 */
async function take(lock: string, owner: string): Promise<boolean> {
  while (!(await createLock(lock, owner))) {
    const found = await readOwner(lock)
    if (await isUsed(lock)) return false
    const successor = `${lock}.${found.replace(/[^\w.-]/g, '_').slice(0, 100)}`
    if (!(await take(successor, owner))) continue
    // Another successor can have been faster, and then the dead owner is gone.
    const isFirst = (await readOwner(lock)) === found
    if (isFirst) await rename(successor, lock).catch(failToWrite(lock))
    else await rm(successor, { force: true })
    if (isFirst && (await readOwner(lock)) === owner) return true
  }
  return true
}

/** Removes the files that processes which are gone began to write in the place of a file. */
async function removeLeftovers(file: string): Promise<void> {
  const [folder, start] = [dirname(file), `${basename(file)}.`]
  for (const name of await readdir(folder).catch(() => [])) {
    const [, id] = (name.startsWith(start) && /^(\d+)\.tmp$/.exec(name.slice(start.length))) || []
    if (id !== undefined && !isRunning(Number(id))) await rm(join(folder, name), { force: true })
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
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    // On a full disk it is created, and stays empty.
    await rm(lock, { force: true }).catch(() => {})
    return true
  }
}

/** Whether the owner of a lock lives. Of a process on another machine, or with an id that was given again, its touch says it. */
async function isUsed(lock: string): Promise<boolean> {
  const [id, host] = (await readOwner(lock)).split(' ')
  if (host === hostname() && !isRunning(Number(id))) return false
  const touched = await touchTime(lock)
  // Its owner removed it.
  if (touched === null) return false
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
