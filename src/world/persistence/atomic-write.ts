import { open, realpath, rename, rm, stat } from 'node:fs/promises'
import process from 'node:process'
import { failToWrite } from '../../utils/files.ts'
import { wait } from '../../utils/wait.ts'
import { isDevice, writeToDevice } from './write-to-device.ts'

/** How long a file that another program of Windows has open is tried again, and how often, in milliseconds. */
const [patience, look] = [1_000, 50]

/**
 * Replaces the content of a file in one step: after a crash, a `kill -9` or a full disk, the file holds either the old
 * or the new content. The file keeps its mode. A device or a pipe gets the text, and stays what it is.
 *
 * This is not `write-file-atomic`, because that package ignores short writes: on a full disk, its version 7.0.1
 * replaces the file by the first part of the new content.
 *
 * @param mode of a new file: by default its owner only can read it, because it can hold keys
 * @throws Error as Node does; then the file keeps its content
 */
export async function writeFileAtomically(file: string, text: string, mode = 0o600): Promise<void> {
  // A symbolic link stays: its target is replaced.
  const target = await realpath(file).catch(() => file)
  const temporary = `${target}.${process.pid}.tmp`
  const stats = await stat(target).catch(() => null)
  if (stats && isDevice(stats)) return writeToDevice(file, stats, text)
  try {
    // Creates the file, so that no link at its name is followed. A killed process with the same id can have left one.
    await rm(temporary, { force: true })
    const handle = await open(temporary, 'wx', mode)
    try {
      // Before the first byte, so that no one can read the content with the wrong mode.
      if (stats) await handle.chmod(stats.mode & 0o777)
      await handle.writeFile(text)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await replace(target, temporary)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** The same for a file that a user named. @throws UsageError that says what to do */
export function writeNamedFile(file: string, text: string, mode?: number): Promise<void> {
  return writeFileAtomically(file, text, mode).catch(failToWrite(file))
}

async function replace(target: string, temporary: string): Promise<void> {
  for (let waited = 0; ; waited += look) {
    try {
      return await rename(temporary, target)
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException
      // Windows refuses while another program has the file open, such as a virus scanner for a moment.
      const isOpen = process.platform === 'win32' && /^(?:EACCES|EBUSY|EPERM)$/.test(code)
      if (!isOpen || waited >= patience) throw error
    }
    await wait(look)
  }
}
