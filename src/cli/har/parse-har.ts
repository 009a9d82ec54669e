import { createReadStream } from 'node:fs'
import { JSONParser, TokenizerError, TokenParserError } from '@streamparser/json'
import { unreadableFileError } from '../../utils/files.ts'
import { UsageError } from '../../utils/usage-error.ts'

/** Who is told of what an archive holds. */
export interface HarVisitor {
  /** Of each entry, by its position; it is not kept. */
  entry(entry: unknown, index: number): void
  /** Of the version of its format, wherever that stands. */
  version?(version: unknown): void
  /** Of entries that are no list. */
  invalidEntries?(): void
  /** Of each piece, by its length in bytes. */
  onBytes?(bytes: number): void
}

const chunkSize = 256 * 1024

/**
 * Reads an archive piece by piece: a file of any size takes no more memory than its largest entry.
 *
 * @throws UsageError for a file that is not there, is no JSON, or ends in the middle
 */
export async function parseHar(file: string, reader: HarVisitor): Promise<void> {
  const parser = new JSONParser({
    paths: ['$.log.version', '$.log.entries.*'],
    keepStack: false,
    stringBufferSize: chunkSize,
  })
  let count = 0
  parser.onValue = ({ value, key, parent, stack }) => {
    if (stack.length < 3) return reader.version?.(value)
    if (!Array.isArray(parent)) return reader.invalidEntries?.()
    reader.entry(value, key as number)
    count += 1
  }
  try {
    for await (const bytes of createReadStream(file, { highWaterMark: chunkSize })) {
      parseChunk(
        () => parser.write(bytes),
        file,
        () => count,
      )
      reader.onBytes?.(bytes.length)
    }
  } catch (error) {
    throw error instanceof Error && 'syscall' in error ? unreadableFileError(file, error) : error
  }
  if (!parser.isEnded) throw truncatedError(file, count)
}

/** @throws UsageError for what the parser cannot read */
function parseChunk(run: () => void, file: string, count: () => number): void {
  try {
    run()
  } catch (error) {
    const reason = parseErrorReason(error)
    if (reason === null) throw error
    throw new UsageError(
      `Failed to read ${file}: expected a HAR archive as JSON, got a text that is none: ${reason}, ${describePosition(count())}. Mend the file, or export it again.`,
    )
  }
}

/** Why the parser could not go on; null for an error of anybody else. */
function parseErrorReason(error: unknown): string | null {
  if (error instanceof TokenizerError) {
    const [, sign, position] = /^Unexpected (".*") at .*"(\d+)"\)/s.exec(error.message) ?? []
    return sign ? `unexpected ${sign} at byte ${position}` : error.message
  }
  if (error instanceof TokenParserError)
    return error.message.replace(/^U| in state .*$/g, (cut) => (cut === 'U' ? 'u' : ''))
  return error instanceof TypeError && /encoded data/.test(error.message)
    ? 'bytes that are no UTF-8'
    : null
}

function truncatedError(file: string, count: number): UsageError {
  return new UsageError(
    `Failed to read ${file}: expected a HAR archive as JSON, got one that ends in the middle, ${describePosition(count)}. Export it again.`,
  )
}

function describePosition(count: number): string {
  return count === 0 ? 'before its first entry is whole' : `after log.entries[${count - 1}]`
}
