import { createReadStream } from 'node:fs'
import { JSONParser, TokenizerError, TokenParserError } from '@streamparser/json'
import { unreadableFileError } from '../../utils/files.ts'
import { UsageError } from '../../utils/usage-error.ts'

interface HarVisitor {
  entry(entry: unknown, index: number): void
  /** Called with the version of the format. It can follow the entries. */
  version?(version: unknown): void
  /** Called if `entries` is not a list. */
  invalidEntries?(): void
  onBytes(bytes: number): void
}

const chunkSize = 256 * 1024

/** Reads an archive in chunks. Takes no more memory than the largest entry. @throws UsageError for an invalid file */
export async function parseHar(file: string, visitor: HarVisitor): Promise<void> {
  const parser = new JSONParser({
    paths: ['$.log.version', '$.log.entries.*'],
    keepStack: false,
    stringBufferSize: chunkSize,
  })
  let [count, isBlank] = [0, true]
  parser.onValue = ({ value, key, parent, stack }) => {
    if (stack.length < 3) return visitor.version?.(value)
    if (!Array.isArray(parent)) return visitor.invalidEntries?.()
    visitor.entry(value, key as number)
    count += 1
  }
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: chunkSize })) {
      if (isBlank && isUtf16(chunk)) {
        throw new UsageError(`${file} is not valid JSON: it is UTF-16. Save it as UTF-8.`)
      }
      isBlank &&= chunk.toString('latin1').trim() === ''
      parser.write(chunk)
      visitor.onBytes(chunk.length)
    }
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw unreadableFileError(file, error)
    if (error instanceof RangeError && /string length/.test(error.message)) {
      throw new UsageError(
        `${file} has a text of more than 512 MiB, ${describePosition(count)}. Leave it out of the archive.`,
      )
    }
    const reason = describeParseError(error)
    if (reason === null) throw error
    throw invalidJson(file, reason, count)
  }
  if (isBlank) throw new UsageError(`${file} is empty. Export the archive again.`)
  if (!parser.isEnded) {
    // After an invalid byte, the parser skips the rest of a chunk.
    if (!(await isUtf8(file))) throw invalidJson(file, 'invalid UTF-8', count)
    throw new UsageError(
      `${file} is not a complete HAR archive: it ends ${describePosition(count)}. Export it again.`,
    )
  }
}

/** Whether bytes are the beginning of JSON in UTF-16: with a byte order mark, or with half of the first character. */
function isUtf16([first, second]: Uint8Array): boolean {
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
  return isMarked || first === 0 || second === 0
}

async function isUtf8(file: string): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  try {
    for await (const chunk of createReadStream(file)) decoder.decode(chunk, { stream: true })
    decoder.decode()
    return true
  } catch {
    return false
  }
}

function invalidJson(file: string, reason: string, count: number): UsageError {
  return new UsageError(
    `${file} is not valid JSON: ${reason}, ${describePosition(count)}. Export the archive again.`,
  )
}

/** Returns null for an error that the parser did not throw. */
function describeParseError(error: unknown): string | null {
  if (error instanceof TokenizerError) {
    const [, char, offset] = /^Unexpected (".*") at .*"(\d+)"\)/s.exec(error.message) ?? []
    return char ? `unexpected ${char} at byte ${offset}` : error.message
  }
  if (error instanceof TokenParserError) {
    return error.message.replace(/^U/, 'u').replace(/ in state .*$/s, '')
  }
  return error instanceof TypeError && /encoded data/.test(error.message) ? 'invalid UTF-8' : null
}

function describePosition(count: number): string {
  return count === 0 ? 'before the end of the first entry' : `after log.entries[${count - 1}]`
}
