import { open, readdir, readlink, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import process from 'node:process'

/** The file that symbolic links lead to, also if it does not exist yet. A file that cannot be reached is its own target. */
async function targetOf(file: string): Promise<string> {
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
 * @throws Error as Node does; then the file keeps its content
 */
export async function writeFileAtomically(file: string, text: string): Promise<void> {
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
      await handle.writeFile(text)
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

/** Removes the temporary files that killed processes left beside a file. */
export async function removeTemporaryFiles(file: string): Promise<void> {
  const target = await targetOf(file)
  const [folder, base] = [dirname(target), basename(target)]
  for (const name of await readdir(folder).catch(() => [])) {
    const pid = name.startsWith(base) && /^\.(\d+)\.tmp$/.exec(name.slice(base.length))?.[1]
    if (pid && !isProcessRunning(Number(pid))) await rm(join(folder, name), { force: true })
  }
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
