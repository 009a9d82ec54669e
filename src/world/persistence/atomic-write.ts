import { open, readdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { isProcessRunning } from './lock-file.ts'

/**
 * Writes a file as a whole or not at all: whoever reads it, at any moment and after any crash, finds what was
 * there before or all of the new text. It keeps its mode; a new one, which may hold keys, is its owner's alone.
 *
 * @param texts what is written, piece by piece; other work goes on between two of them
 * @throws Error as Node does; the file is then what it was
 */
export async function writeFileAtomically(file: string, texts: Iterable<string>): Promise<void> {
  // A link stays one: what it leads to is written.
  const target = await realpath(file).catch(() => file)
  const temporary = `${target}.${process.pid}.tmp`
  const mode = await fileModeOf(target)
  try {
    const handle = await open(temporary, 'w', 0o600)
    try {
      // Before anything is in it: nobody reads it by the mode of another.
      if (mode !== null) await handle.chmod(mode)
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
  await syncFolder(dirname(target))
}

/** Who may do what with a file; null where there is none yet. */
async function fileModeOf(file: string): Promise<number | null> {
  const found = await stat(file).catch(() => null)
  return found && found.mode & 0o777
}

/**
 * Takes away what processes that were killed while they wrote a file have left beside it.
 *
 * @param ending of the names of such files, behind the id of the process
 */
export async function removeTemporaryFiles(file: string, ending = 'tmp'): Promise<void> {
  const target = await realpath(file).catch(() => file)
  const [folder, own] = [dirname(target), basename(target)]
  const pattern = new RegExp(`^\\.(\\d+)(?:\\.\\w)?\\.${ending}$`)
  for (const name of await readdir(folder).catch(() => [])) {
    const pid = name.startsWith(own) && pattern.exec(name.slice(own.length))?.[1]
    if (pid && !isProcessRunning(Number(pid))) await rm(join(folder, name), { force: true })
  }
}

/** Makes the new name outlast a power cut, where the system can. */
async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r')
    await handle.sync().finally(() => handle.close())
  } catch {
    // Windows opens no folders.
  }
}
