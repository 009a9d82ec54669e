import {
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  rmdir,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { UsageError } from '../../utils/usage-error.ts'
import { wait } from '../../utils/wait.ts'

/**
 * Locks a file for this process, with a folder beside it in which each process that wants the file creates a claim. A
 * process owns the file once it has read the folder after creating its claim, and found no other claim of a running
 * process. Of two processes, the one that reads the folder later sees the claim of the other, so both cannot own the
 * file. A claim is named after its process and never used again, so removing the claim of an ended process, for example
 * after `kill -9`, removes nothing else.
 *
 * This is not `proper-lockfile`, because that package recognizes a stale lock by its age: a restart after `kill -9` has
 * to wait, and a process that is paused in a debugger loses its lock.
 *
 * @returns a function that unlocks the file
 * @throws UsageError if another process has the lock; Error as Node does if the claim cannot be written
 */
export async function lockFile(file: string): Promise<() => Promise<void>> {
  // All symbolic links to a file share its lock.
  const folder = `${await targetOf(file)}.lock`
  const start = (await processStartTime(process.pid)) ?? Math.round(performance.timeOrigin)
  const own = `${process.pid}-${start}`
  const claim = join(folder, own)
  const withdraw = () => rm(claim, { force: true }).then(() => rmdir(folder).catch(() => {}))
  let hasClaim = false
  try {
    for (let attempt = 0; ; attempt++) {
      const others = (await runningClaims(folder)).filter((name) => name !== own)
      if (hasClaim && others.length === 0) break
      const [first = own] = others.sort()
      const owner = (await findOwner(folder, others)) ?? (attempt === MAX_ATTEMPTS ? first : null)
      if (owner !== null) throw lockedError(file, folder, owner)
      if (!hasClaim && others.length === 0) {
        if (!(await createClaim(claim))) throw lockedError(file, folder, own)
        hasClaim = true
      } else {
        // Several processes start at once: all but the first one withdraw, and wait for its start.
        if (hasClaim && first < own) {
          await withdraw()
          hasClaim = false
        }
        await wait(10)
      }
    }
    // A longer file marks the owner. It takes no room, so a full disk does not prevent it.
    await truncate(claim, 1)
    return withdraw
  } catch (error) {
    if (hasClaim) await withdraw()
    throw error
  }
}

/** Other processes that start at the same time are waited for during some ten seconds. */
const MAX_ATTEMPTS = 1_000

/** @returns false if this process already has this claim */
async function createClaim(claim: string): Promise<boolean> {
  const folder = dirname(claim)
  for (let attempt = 0; ; attempt++) {
    try {
      await mkdir(folder).catch((error) => ignoreCode(error, 'EEXIST'))
      await writeFile(claim, '', { flag: 'wx', mode: 0o600 })
      return true
    } catch (error) {
      const { code } = error as { code?: string }
      if (code === 'EEXIST') return false
      // An owner that ends removes the empty folder: it is created again.
      if (code !== 'ENOENT' || attempt === 100) throw error
    }
  }
}

function ignoreCode(error: unknown, code: string): void {
  if ((error as { code?: string }).code !== code) throw error
}

/** Lists the claims of running processes, and removes those of ended ones. */
async function runningClaims(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch((error) => ignoreCode(error, 'ENOENT'))
  const running: string[] = []
  for (const name of names ?? []) {
    const [, pid, start] = /^(\d+)-(\d+)$/.exec(name) ?? []
    if (pid === undefined) continue
    if (await isClaimantRunning(Number(pid), start)) running.push(name)
    else await rm(join(folder, name), { force: true })
  }
  return running
}

/** True in case of doubt: without `/proc`, another process may have got the id. */
async function isClaimantRunning(pid: number, start: string | undefined): Promise<boolean> {
  if (!isProcessRunning(pid)) return false
  const current = await processStartTime(pid)
  return current === null || current === start
}

async function findOwner(folder: string, names: readonly string[]): Promise<string | null> {
  const stats = await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => null)))
  return names.find((_, index) => (stats[index]?.size ?? 0) > 0) ?? null
}

function lockedError(file: string, folder: string, owner: string): UsageError {
  const [pid] = owner.split('-')
  return new UsageError(
    `Failed to open the state file ${file}: process ${pid} uses it. Stop that process, or choose another file. ` +
      `If process ${pid} is another program, remove ${join(folder, owner)}.`,
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
 * Empty if the process has ended, null if the system does not tell.
 */
async function processStartTime(pid: number): Promise<string | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null)
  if (text === null) return null
  // The fields follow the name of the process, which is in parentheses and can contain anything.
  const [state = '', ...fields] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  // While other threads of a killed process run, one of them can be in the middle of a write.
  const hasEnded = /[ZX]/.test(state) && Number(fields[16]) < 2
  return hasEnded ? '' : (fields[18] ?? null)
}

/** The file that symbolic links lead to, also if it does not exist yet. A file that cannot be reached is its own target. */
export async function targetOf(file: string): Promise<string> {
  try {
    return await realpath(file)
  } catch (error) {
    if ((error as { code?: string }).code !== 'ENOENT') return file
    const link = await readlink(file).catch(() => null)
    return link === null ? file : targetOf(resolve(dirname(file), link))
  }
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
  const target = await targetOf(file)
  const temporary = `${target}.${process.pid}.tmp`
  const stats = await stat(target).catch(() => null)
  try {
    // Creates the file, so that no link at its name is followed. A killed process with the same id can have left one.
    await rm(temporary, { force: true })
    const handle = await open(temporary, 'wx', 0o600)
    try {
      // Before the first byte, so that no one can read the content with the wrong mode.
      if (stats) await handle.chmod(stats.mode & 0o777)
      await writeFile(handle, inBlocks(texts))
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

/** The least number of characters that are written at once. */
const blockLength = 65_536

/** Joins short texts, because each write takes time. */
export function* inBlocks(texts: Iterable<string>): Generator<string> {
  let block = ''
  for (const text of texts) {
    block += text
    if (block.length < blockLength) continue
    yield block
    block = ''
  }
  yield block
}

/**
 * Removes the temporary files that killed processes left beside a file.
 *
 * @param suffix the extension of the temporary files; before it, their names contain the process id
 */
export async function removeTemporaryFiles(file: string, suffix = 'tmp'): Promise<void> {
  const target = await targetOf(file)
  const [folder, base] = [dirname(target), basename(target)]
  const pattern = new RegExp(`^\\.(\\d+)(?:\\.\\w)?\\.${suffix}$`)
  for (const name of await readdir(folder).catch(() => [])) {
    const pid = name.startsWith(base) && pattern.exec(name.slice(base.length))?.[1]
    if (pid && !isProcessRunning(Number(pid))) await rm(join(folder, name), { force: true })
  }
}
