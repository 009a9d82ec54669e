import { readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import process from 'node:process'
import { UsageError } from '../../utils/usage-error.ts'
import { wait } from '../../utils/wait.ts'

/**
 * Locks a file for this process, with a lock file beside it that names the process. The lock of a process that no
 * longer runs, for example after `kill -9`, is taken over at once.
 *
 * This is not `proper-lockfile`, because that package recognizes a stale lock by its age: a restart after `kill -9` has
 * to wait, and a process that is paused in a debugger loses its lock.
 *
 * @returns a function that unlocks the file
 * @throws UsageError if another process has the lock; Error as Node does if the lock file cannot be written
 */
export async function lockFile(file: string): Promise<() => Promise<void>> {
  // All symbolic links to a file share its lock.
  const lock = `${await realpath(file).catch(() => file)}.lock`
  const owner = `${process.pid} ${await processStartTime(process.pid)}`
  while (!(await createLock(lock, owner))) {
    const other = await ownerOf(lock)
    if (await isOwnerRunning(other)) throw lockedError(file, lock, other)
    await removeStaleLock(lock, other)
  }
  return async () => {
    if ((await readLock(lock)) === owner) await rm(lock, { force: true })
  }
}

/** @returns false if the lock already exists */
async function createLock(lock: string, owner: string): Promise<boolean> {
  try {
    await writeFile(lock, owner, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIST') return false
    throw error
  }
}

function readLock(lock: string): Promise<string> {
  return readFile(lock, 'utf8').catch(() => '')
}

/** The other process creates its lock and writes into it in two steps: waits for the second one. */
async function ownerOf(lock: string): Promise<string> {
  for (let attempt = 0; attempt < 10; attempt++) {
    const owner = await readLock(lock)
    if (owner !== '') return owner
    await wait(20)
  }
  return ''
}

async function isOwnerRunning(owner: string): Promise<boolean> {
  const [pid = '', startTime = ''] = owner.split(' ')
  if (!/^\d+$/.test(pid) || !isProcessRunning(Number(pid))) return false
  return startTime === '' || (await processStartTime(Number(pid))) === startTime
}

/** If a third process took over the stale lock in the meantime, it gets its lock back. */
async function removeStaleLock(lock: string, owner: string): Promise<void> {
  const aside = `${lock}.${process.pid}`
  try {
    await rename(lock, aside)
  } catch {
    return
  }
  if ((await readLock(aside)) === owner) await rm(aside, { force: true })
  else await rename(aside, lock)
}

function lockedError(file: string, lock: string, owner: string): UsageError {
  const [pid] = owner.split(' ')
  return new UsageError(
    `Failed to open the state file ${file}: process ${pid} uses it. Stop that process, or choose another file. ` +
      `If process ${pid} is another program, remove ${lock}.`,
  )
}

/** Whether a process with this id runs. */
export function isProcessRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM'
  }
}

/**
 * The start time of a process, in ticks since boot, which distinguishes it from a later process with the same id.
 * Empty if the system does not have `/proc`, or if the process has ended.
 */
async function processStartTime(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The fields follow the name of the process, which is in parentheses and can contain anything.
  const [state = '', ...fields] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return /[ZX]/.test(state) ? '' : (fields[18] ?? '')
}
