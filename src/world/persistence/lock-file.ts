import { readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import process from 'node:process'
import { UsageError } from '../../utils/usage-error.ts'
import { wait } from '../../utils/wait.ts'

/**
 * Takes a file for this process alone, by another one beside it that names the process. One that ended without
 * giving it back, by `kill -9` for instance, has it no longer.
 *
 * @returns gives it back
 * @throws UsageError where another has it; Error as Node does where nothing can be written
 */
export async function lockFile(file: string): Promise<() => Promise<void>> {
  // All links to it lead to the same one.
  const target = await realpath(file).catch(() => file)
  const lock = `${target}.lock`
  const own = `${process.pid} ${await processStartTime(process.pid)}`
  while (!(await createLock(lock, own))) {
    const owner = await ownerOf(lock)
    if (await isOwnerRunning(owner)) throw lockedError(file, lock, owner)
    await removeStaleLock(lock, owner)
  }
  return async () => {
    if ((await readLock(lock)) === own) await rm(lock, { force: true })
  }
}

/** Whether it was not there. */
async function createLock(lock: string, text: string): Promise<boolean> {
  try {
    await writeFile(lock, text, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIST') return false
    throw error
  }
}

function readLock(lock: string): Promise<string> {
  return readFile(lock, 'utf8').catch(() => '')
}

/** Between making it and writing into it there is a moment. */
async function ownerOf(lock: string): Promise<string> {
  for (let attempt = 0; attempt < 10; attempt++) {
    const owner = await readLock(lock)
    if (owner !== '') return owner
    await wait(20)
  }
  return ''
}

async function isOwnerRunning(owner: string): Promise<boolean> {
  const [pid = '', beginning = ''] = owner.split(' ')
  if (!/^\d+$/.test(pid) || !isProcessRunning(Number(pid))) return false
  return beginning === '' || (await processStartTime(Number(pid))) === beginning
}

/** Another process may be doing the same, and have taken it by now: then it gets it back. */
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
    `Failed to keep the state ${file}: expected a file that nobody else keeps one in, got one of process ${pid}. ` +
      `End that, or name another file. If process ${pid} is something else, remove ${lock}.`,
  )
}

/** Whether there is a process of this number. */
export function isProcessRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as { code?: string }).code === 'EPERM'
  }
}

/**
 * When a process began, to tell it from a later one of the same number: in ticks since the machine did. Empty where
 * the system does not tell, or when it has ended.
 */
async function processStartTime(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // Before the last bracket stands its name, which may hold anything.
  const [state = '', ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return /[ZX]/.test(state) ? '' : (rest[18] ?? '')
}
