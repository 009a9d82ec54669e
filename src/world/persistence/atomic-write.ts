import { fstatSync, type Stats } from 'node:fs'
import { open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import process from 'node:process'
import { UsageError } from '../../utils/errors.ts'
import { failToWrite } from '../../utils/files.ts'
import { wait } from '../../utils/wait.ts'

/** How long a file that another program of Windows has open is tried again, and how often, in milliseconds. */
const [patience, look] = [1_000, 50]

/**
 * Replaces the content of a file in one step: after a crash, a `kill -9` or a full disk, the file holds either the old
 * or the new content. A device gets the text, and stays what it is.
 *
 * This is not `write-file-atomic`, because that package ignores short writes: on a full disk, its version 7.0.1
 * replaces the file by the first part of the new content.
 *
 * @param mode of a new file, and the most that another one keeps: by default its owner only can read it, as it can hold keys
 * @param check throws if the file is not to be replaced. It is called right before that
 * @returns the facts of what was written. Null for a device
 * @throws Error as Node does; then the file keeps its content
 */
export async function writeFileAtomically(
  file: string,
  text: string | Iterable<string>,
  mode = 0o600,
  check = async () => {},
): Promise<Stats | null> {
  const texts = typeof text === 'string' ? [text] : text
  // A symbolic link stays: its target is replaced.
  const target = await realpath(file).catch(() => file)
  // Containers that share a folder have the same process id.
  const temporary = `${target}.${process.pid}-${crypto.randomUUID()}.tmp`
  const stats = await stat(target).catch(() => null)
  if (stats && isDevice(stats)) {
    await writeToDevice(file, stats, [...texts].join(''))
    return null
  }
  let written: Stats
  try {
    const handle = await open(temporary, 'wx', mode)
    try {
      // Before the first byte, so that no one can read the content with the wrong mode.
      if (stats) await unlessMissing(() => handle.chmod(stats.mode & mode))
      for (const whole of texts)
        for (const [part] of whole.matchAll(partOfText)) await handle.writeFile(part)
      await unlessMissing(() => handle.sync())
      written = await handle.stat()
    } finally {
      await handle.close()
    }
    await check()
    await replace(target, temporary)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  return written
}

/** Parts are written one after the other, so that the bytes of a large text are not held at once. None ends within a character. */
const partOfText = /.{1,65536}/gsu

/** The same for a file that a user named. @throws UsageError that says what to do */
export async function writeNamedFile(
  file: string,
  text: string | Iterable<string>,
  mode?: number,
): Promise<void> {
  await writeFileAtomically(file, text, mode).catch(failToWrite(file))
}

/** Does what not every file system can: that of Yarn, without a code of an error, network and FUSE file systems with one. */
async function unlessMissing(act: () => Promise<void>) {
  try {
    await act()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== undefined && !/^(?:EINVAL|ENOSYS|ENOTSUP|EOPNOTSUPP)$/.test(code)) throw error
  }
}

async function replace(target: string, temporary: string) {
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

/** Whether a file is not replaced by a new content: a device, a pipe, or an output of this process. */
export function isDevice(stats: Stats): boolean {
  const isOther = !stats.isFile() && !stats.isDirectory()
  return isOther || isOpenAs(1, stats) || isOpenAs(2, stats)
}

/** Writes to a device, or to an output of this process, such as `/dev/stdout`. @throws UsageError for a pipe, and for others */
async function writeToDevice(file: string, stats: Stats, text: string): Promise<void> {
  if (isOpenAs(1, stats)) return writeToOutput(process.stdout, text)
  if (isOpenAs(2, stats)) return writeToOutput(process.stderr, text)
  if (stats.isCharacterDevice()) return writeFile(file, text)
  // A pipe without a reader would hold the process, which no signal and no exit would end.
  throw new UsageError(`Failed to write ${file}: it is no regular file. Choose another file.`)
}

function isOpenAs(descriptor: number, { dev, ino }: Stats) {
  try {
    const own = fstatSync(descriptor)
    return own.dev === dev && own.ino === ino
  } catch {
    return false
  }
}

function writeToOutput(output: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(text, (error) => (error ? reject(error) : resolve()))
  })
}
