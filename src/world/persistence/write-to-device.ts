import { constants, fstatSync, type Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import process from 'node:process'
import { UsageError } from '../../utils/errors.ts'
import { wait } from '../../utils/wait.ts'

/** How long a pipe waits for its reader, and how often it looks for it, in milliseconds. */
const [patience, look] = [5_000, 50]

/** Whether a file takes text in place of a new content: a device, a pipe, or an output of this process. */
export function isDevice(stats: Stats): boolean {
  const isOther = !stats.isFile() && !stats.isDirectory()
  return isOther || isOpenAs(1, stats) || isOpenAs(2, stats)
}

/**
 * Writes a text to a device, a pipe, or an output of this process, such as `/dev/stdout`.
 *
 * @throws UsageError for a pipe that no program reads, a disk and a socket @throws Error as Node does
 */
export async function writeToDevice(file: string, stats: Stats, text: string): Promise<void> {
  if (isOpenAs(1, stats)) return writeToOutput(process.stdout, text)
  if (isOpenAs(2, stats)) return writeToOutput(process.stderr, text)
  if (!stats.isFIFO() && !stats.isCharacterDevice()) {
    const kind = stats.isSocket() ? 'socket' : 'disk'
    throw new UsageError(`Failed to write ${file}: it is a ${kind}. Choose another file.`)
  }
  const handle = await openForWriting(file)
  try {
    await writeAll(handle, Buffer.from(text), file)
  } finally {
    await handle.close()
  }
}

function isOpenAs(descriptor: number, { dev, ino }: Stats): boolean {
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

/** Opens without waiting in the system, which would hang this process. */
async function openForWriting(file: string): Promise<FileHandle> {
  const handle = await retry('ENXIO', () => open(file, constants.O_WRONLY | constants.O_NONBLOCK))
  if (handle !== null) return handle
  throw unreadError(file)
}

async function writeAll(handle: FileHandle, bytes: Buffer, file: string): Promise<void> {
  for (let start = 0; start < bytes.length; ) {
    const written = await retry('EAGAIN', () => handle.write(bytes, start))
    if (written === null) throw unreadError(file)
    start += written.bytesWritten
  }
}

/** Calls again while it fails with a code. @returns null if it still does after a while */
async function retry<T>(code: string, call: () => Promise<T>): Promise<T | null> {
  for (let waited = 0; waited <= patience; waited += look) {
    try {
      return await call()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== code) throw error
    }
    await wait(look)
  }
  return null
}

function unreadError(file: string): UsageError {
  return new UsageError(
    `Failed to write ${file}: no program reads this pipe. Start its reader first, or choose another file.`,
  )
}
