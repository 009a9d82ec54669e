import { appendFileSync, constants, createReadStream } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import process from 'node:process'
import { refusalOf } from '../../utils/files.ts'
import { tryParseJson } from '../../utils/foreign-json.ts'
import { isObject } from '../../utils/json.ts'
import { UsageError } from '../../utils/usage-error.ts'
import { version } from '../../utils/version.ts'
import { inBlocks, writeFileAtomically } from '../../world/persistence/lock-file.ts'
import { formatVersion } from '../../world/world-format.ts'

/** The version of the lines. A world format of its own counts the fields of rows. */
const logFormat = 1

/** A line of the file: the latest state of a sandbox, its end, or the numbers that are used. */
type LogRecord =
  | { readonly id: string; readonly keys: readonly string[]; readonly ended?: true }
  | { readonly reserved: number }

/** A line of the file, with what can be read of it. */
export interface LogLine {
  /** The line without its line break */
  readonly text: string
  /** Null for a line that is damaged */
  readonly record: LogRecord | null
  /** The sandbox of the line; undefined if it cannot be read */
  readonly id: string | undefined
  /** Its keys, as far as they can be read */
  readonly keys: readonly string[]
  /** Whether the file ends within the line, as after a `kill -9` */
  readonly isCut: boolean
}

/**
 * A file of lines, to which each save appends the sandboxes that changed. The last line of a sandbox counts. Each line
 * has a checksum, so that a save that was interrupted is noticed. Now and then the file is written anew.
 *
 * It is one file, because saving 500 files takes seconds: each of them has to reach the disk on its own.
 */
export class SandboxLog {
  readonly file: string
  #size = 0
  #compactSize = 0

  constructor(file: string) {
    this.file = file
  }

  /**
   * Reads the lines, without those that a later line of the same sandbox replaces. Empty without a file.
   *
   * @throws UsageError for a file of another kind, or of a later version
   */
  async read(): Promise<LogLine[]> {
    const lines = new Map<number, LogLine>()
    // Of earlier states, a long file has more than a string can hold.
    const latest = new Map<string | undefined, number>()
    let [number, size] = [0, 0]
    try {
      await checkRegular(this.file, 'file of sandboxes')
      for await (const { text, bytes, isCut } of readLines(this.file)) {
        size += bytes
        number += 1
        if (number === 1) checkHead(text, this.file)
        if (number === 1 || text === '') continue
        const line = readLine(text, isCut)
        lines.set(number, line)
        if (line.record === null) continue
        lines.delete(latest.get(line.id) ?? 0)
        latest.set(line.id, number)
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw stateError('read', 'sandboxes of', this.file, error)
    }
    const left = [...lines.values()]
    this.#size = size
    this.#compactSize = sizeOf(left.map(({ text }) => text))
    return left
  }

  /** Whether the file has become much longer than its contents. */
  get isLong(): boolean {
    return this.#size > 4 * this.#compactSize + 4_194_304
  }

  /**
   * Appends lines in one step.
   *
   * @returns false if something else changed the file, or removed it; then nothing is appended
   * @throws UsageError if the disk does not take all of them; then the file stays
   */
  async append(lines: readonly string[]): Promise<boolean> {
    let added = 0
    try {
      // Without O_CREAT: a file that was removed is written anew as a whole.
      const handle = await open(this.file, constants.O_WRONLY | constants.O_APPEND)
      try {
        const { size } = await handle.stat()
        if (size !== this.#size) return false
        // After a line break, what an interrupted save left is a line of its own.
        added = await writeTexts(handle, ['\n', ...lines]).catch(async (error) => {
          await handle.truncate(size)
          throw error
        })
        await handle.sync()
      } finally {
        await handle.close()
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
      throw stateError('save', 'sandboxes of', this.file, error)
    }
    this.#size += added
    return true
  }

  /** Replaces the file in one step. @throws UsageError as `append` does */
  async replace(lines: readonly string[]): Promise<void> {
    const texts = [headLine(), ...lines.map((line) => (line.endsWith('\n') ? line : `${line}\n`))]
    await writeFileAtomically(this.file, texts).catch((error) =>
      Promise.reject(stateError('save', 'sandboxes of', this.file, error)),
    )
    this.#compactSize = this.#size = sizeOf(texts)
  }

  /** Appends a record before anything else happens. Used once in a run. @throws UsageError as `append` does */
  appendNow(record: LogRecord): void {
    const text = (this.#size === 0 ? headLine() : '\n') + toLine(record)
    try {
      appendFileSync(this.file, text, { mode: 0o600 })
    } catch (error) {
      throw stateError('save', 'sandboxes of', this.file, error)
    }
    this.#size += Buffer.byteLength(text)
  }
}

/** A device may have no end, and a pipe no writer. @throws UsageError; Error as Node does without the file */
export async function checkRegular(file: string, name: string): Promise<void> {
  const stats = await stat(file)
  if (stats.isFile() || stats.isDirectory()) return
  throw new UsageError(`The ${name} ${file} is a device or a pipe. Choose a regular file.`)
}

/** @returns the number of bytes @throws Error with the code ENOSPC if the disk does not take all of them */
async function writeTexts(handle: FileHandle, texts: readonly string[]): Promise<number> {
  let written = 0
  for (const text of inBlocks(texts)) {
    const bytes = Buffer.from(text)
    const { bytesWritten } = await handle.write(bytes)
    if (bytesWritten < bytes.length) {
      throw Object.assign(new Error('The disk is full.'), { code: 'ENOSPC' })
    }
    written += bytes.length
  }
  return written
}

/** A line as it is in the file, without its line break. */
interface TextLine {
  readonly text: string
  /** With its line break */
  readonly bytes: number
  /** Whether the file ends within the line */
  readonly isCut: boolean
}

async function* readLines(file: string): AsyncGenerator<TextLine, undefined> {
  let parts: Uint8Array[] = []
  const take = (isCut: boolean): TextLine => {
    const line = Buffer.concat(parts)
    parts = []
    return { text: line.toString(), bytes: line.length + (isCut ? 0 : 1), isCut }
  }
  for await (const chunk of createReadStream(file, { highWaterMark: 1_048_576 })) {
    let start = 0
    for (let end = chunk.indexOf(lineFeed); end >= 0; end = chunk.indexOf(lineFeed, start)) {
      parts.push(chunk.subarray(start, end))
      yield take(false)
      start = end + 1
    }
    if (start < chunk.length) parts.push(chunk.subarray(start))
  }
  if (parts.length > 0) yield take(true)
}

const lineFeed = 0x0a

function sizeOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
}

function headLine(): string {
  return `${JSON.stringify({ sandboxes_format: logFormat, world_format: formatVersion, version })}\n`
}

function checkHead(line: string, file: string): void {
  const head = tryParseJson(line)?.value
  const hint = 'It was not changed: move it away to start without its sandboxes.'
  if (!isObject(head) || typeof head.sandboxes_format !== 'number') {
    throw new UsageError(
      `Failed to read the sandboxes of ${file}: its first line names no sandboxes_format. ${hint}`,
    )
  }
  if (head.sandboxes_format === logFormat && Number(head.world_format) <= formatVersion) return
  throw new UsageError(
    `Failed to read the sandboxes of ${file}: understudy-api ${String(head.version)} wrote it, in a format that ` +
      `version ${version} does not read. Start the version that wrote it. ${hint}`,
  )
}

/** A record as a line of the file. */
export function toLine(record: LogRecord): string {
  const text = JSON.stringify(record)
  return `${checksumOf(text)} ${text}\n`
}

/** A damaged line can still have its id and its keys, which come first. */
const startOfLine = /^\w{16} \{"id":("[^"\\]*"),"keys":(\[(?:"(?:[^"\\]|\\.)*",?)*\])?/

function readLine(text: string, isCut: boolean): LogLine {
  const record = text.slice(17)
  const isWhole = text[16] === ' ' && text.slice(0, 16) === checksumOf(record)
  if (isWhole) {
    const read = JSON.parse(record) as LogRecord
    const { id, keys = [] } = read as Partial<Extract<LogRecord, { id: string }>>
    return { text, record: read, id, keys, isCut: false }
  }
  const [, id, keys = '[]'] = startOfLine.exec(text) ?? []
  const parsedId = id === undefined ? undefined : JSON.parse(id)
  return { text, record: null, id: parsedId, keys: JSON.parse(keys), isCut }
}

function checksumOf(text: string): string {
  // An import would load it for every command.
  const { createHash } = process.getBuiltinModule('node:crypto')
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/** Describes an error of the system. A UsageError stays. */
export function stateError(
  task: 'read' | 'save',
  content: 'state file' | 'sandboxes of',
  file: string,
  error: unknown,
): UsageError {
  if (error instanceof UsageError) return error
  return new UsageError(`Failed to ${task} the ${content} ${file}: ${refusalOf(error)}.`)
}
