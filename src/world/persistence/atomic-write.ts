import { open, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { isProcessRunning } from './lock-file.ts'

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
