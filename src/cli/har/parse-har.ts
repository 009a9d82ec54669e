import { createReadStream } from 'node:fs'
import { JSONParser, TokenizerError, TokenParserError } from '@streamparser/json'
import { unreadableFileError } from '../../utils/files.ts'
import { UsageError } from '../../utils/usage-error.ts'

/** Receives the contents of an archive. */
export interface HarVisitor {
  /** Called with each entry. Entries are not kept in memory. */
  entry(entry: unknown, index: number): void
  /** Called with the version of the format. It can follow the entries. */
  version?(version: unknown): void
  /** Called if `entries` is not a list. */
  invalidEntries?(): void
  /** Called with the length of each chunk that was read. */
  onBytes?(bytes: number): void
}

const chunkSize = 256 * 1024

/**
 * Reads an archive in chunks. Takes no more memory than the largest entry.
 *
 * @throws UsageError for a file that does not exist, is not JSON, or is incomplete
 */
export async function parseHar(file: string, visitor: HarVisitor): Promise<void> {
  const parser = new JSONParser({
    paths: ['$.log.version', '$.log.entries.*'],
    keepStack: false,
    stringBufferSize: chunkSize,
  })
  let count = 0
  parser.onValue = ({ value, key, parent, stack }) => {
    if (stack.length < 3) return visitor.version?.(value)
    if (!Array.isArray(parent)) return visitor.invalidEntries?.()
    visitor.entry(value, key as number)
    count += 1
  }
  try {
    for await (const chunk of createReadStream(file, { highWaterMark: chunkSize })) {
      parseChunk(
        () => parser.write(chunk),
        file,
        () => count,
      )
      visitor.onBytes?.(chunk.length)
    }
  } catch (error) {
    throw error instanceof Error && 'syscall' in error ? unreadableFileError(file, error) : error
  }
  if (!parser.isEnded) {
    throw new UsageError(
      `${file} is not a complete HAR archive: it ends ${describePosition(count)}. Export it again.`,
    )
  }
}

/** @throws UsageError for text that is not JSON */
function parseChunk(parse: () => void, file: string, getCount: () => number): void {
  try {
    parse()
  } catch (error) {
    const reason = describeParseError(error)
    if (reason === null) throw error
    throw new UsageError(
      `${file} is not valid JSON: ${reason}, ${describePosition(getCount())}. Export the archive again.`,
    )
  }
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
