import { open, readdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
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
function isProcessRunning(pid: number): boolean {
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

/**
 * Replaces the content of a file in one step: after a crash, a `kill -9` or a full disk, the file holds either the old
 * or the new content. The file keeps its mode. A new file can be read by its owner only, because it can hold keys.
 *
 * This is not `write-file-atomic`, because that package ignores short writes: on a full disk, its version 7.0.1
 * replaces the file by the first part of the new content.
 *
 * @param texts the parts of the content; other work can run between two parts
 * @throws Error as Node does; then the file keeps its content
 */
export async function writeFileAtomically(file: string, texts: Iterable<string>): Promise<void> {
  // A symbolic link stays: its target is replaced.
  const target = await realpath(file).catch(() => file)
  const temporary = `${target}.${process.pid}.tmp`
  const stats = await stat(target).catch(() => null)
  try {
    const handle = await open(temporary, 'w', 0o600)
    try {
      // Before the first byte, so that no one can read the content with the wrong mode.
      if (stats) await handle.chmod(stats.mode & 0o777)
      await writeFile(handle, texts)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/**
 * Removes the temporary files that killed processes left beside a file.
 *
 * @param suffix the extension of the temporary files; before it, their names contain the process id
 */
export async function removeTemporaryFiles(file: string, suffix = 'tmp'): Promise<void> {
  const target = await realpath(file).catch(() => file)
  const [folder, base] = [dirname(target), basename(target)]
  const pattern = new RegExp(`^\\.(\\d+)(?:\\.\\w)?\\.${suffix}$`)
  for (const name of await readdir(folder).catch(() => [])) {
    const pid = name.startsWith(base) && pattern.exec(name.slice(base.length))?.[1]
    if (pid && !isProcessRunning(Number(pid))) await rm(join(folder, name), { force: true })
  }
}
