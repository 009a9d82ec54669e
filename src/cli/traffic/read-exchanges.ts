import { closeSync, createReadStream, openSync, readSync } from 'node:fs'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { JSONParser, TokenizerError, TokenParserError } from '@streamparser/json'
import type { SkipReason } from '../../adapters/har/parse-entry.ts'
import { HarReader } from '../../analysis/traffic/read-har.ts'
import { journalValues, readJournal } from '../../analysis/traffic/read-journal.ts'
import type { Exchange } from '../../http/exchange.ts'
import { readScenarioText } from '../../scenarios/library.ts'
import { unreadableFileError } from '../../utils/files.ts'
import { PackedList, type Packing } from '../../utils/packed-list.ts'
import { UsageError } from '../../utils/usage-error.ts'
import { worldLists } from '../../world/tables.ts'
import { decodeContent } from '../recording/decode-content.ts'

/** The requests to the API in a file. */
export interface ReadExchanges {
  readonly exchanges: PackedList<Exchange>
  /** The number of each in its file: counted from 1 in an archive, its id in a journal */
  readonly numbers: readonly number[]
  /** Undefined for a journal, whose addresses are made up */
  readonly baseUrl: string | undefined
  /** How many entries were left out, by the reason */
  readonly leftOut: ReadonlyMap<SkipReason, number>
}

/** Compresses values. They take a tenth of their length, outside the heap. */
export const deflating: Packing = {
  // Copies the result, because zlib returns a slice of a 16 KiB buffer, which would stay in memory.
  pack: (values) => Buffer.from(deflateRawSync(JSON.stringify(values), { level: 1 })),
  unpack: (packed) => JSON.parse(inflateRawSync(packed as Uint8Array).toString()),
}

/** The names of fields with which a scenario or a world can begin. A HAR archive begins with another one. */
const firstFields = [
  ...['$schema', 'format_version', 'title', 'description', 'world', 'profile', 'policies'],
  ...['clock', 'seed', 'steps', 'generate', ...worldLists],
]

/** What a file is by its beginning, because archives can be large. Null if it begins as none of these. */
export function kindOfFile(file: string): 'archive' | 'journal' | 'scenario' | null {
  const text = beginningOf(file)
  const [, name] = /^\uFEFF?\s*\{\s*"([^"]*)"/.exec(text) ?? []
  if (name === undefined) return /^\uFEFF?\s*\[/.test(text) ? 'journal' : null
  if (name === 'log') return 'archive'
  if (name === 'id') return 'journal'
  return firstFields.includes(name) ? 'scenario' : null
}

function beginningOf(file: string): string {
  const bytes = Buffer.alloc(4_096)
  try {
    const descriptor = openSync(file, 'r')
    try {
      return bytes.toString('utf8', 0, readSync(descriptor, bytes))
    } finally {
      closeSync(descriptor)
    }
  } catch (error) {
    throw unreadableFileError(file, error)
  }
}

/**
 * Reads a HAR archive or a journal. The requests are kept compressed.
 *
 * @param onExchange called with each request, in the order of the file
 * @throws UsageError with every issue of the file
 */
export async function readExchanges(
  file: string,
  base: string | undefined,
  onBytes: (bytes: number) => void,
  onExchange: (exchange: Exchange) => void,
): Promise<ReadExchanges> {
  const exchanges = new PackedList<Exchange>(deflating)
  const numbers: number[] = []
  const add = (exchange: Exchange, number: number): void => {
    exchanges.push(exchange)
    numbers.push(number)
    onExchange(exchange)
  }
  if (kindOfFile(file) === 'journal') {
    if (base !== undefined) {
      throw new UsageError(`--base is about HAR archives. ${file} is a journal.`)
    }
    const values = journalValues(await readScenarioText(file))
    if (values === null) throw new UsageError(`${file} is not a valid journal: it is not JSON.`)
    readJournal(values, file, add)
    return { exchanges, numbers, baseUrl: undefined, leftOut: new Map() }
  }
  const options = { subject: file, base, baseOption: '--base', decode: decodeContent }
  const reader = new HarReader(options, (exchange, index) => add(exchange, index + 1))
  await parseHar(file, {
    entry: (entry, index) => reader.entry(entry, index),
    version: (version) => reader.version(version),
    invalidEntries: () => reader.invalidEntries(),
    onBytes,
  })
  return { exchanges, numbers, ...reader.finish() }
}

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
      if (isBlank && chunk.toString('latin1', 0, 4) === zipMark) {
        throw new UsageError(
          `${file} is a ZIP archive. Import the .har file in it. Playwright writes one with the bodies if the name ends with .har.`,
        )
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

/** The first bytes of a ZIP archive. */
const zipMark = 'PK\x03\x04'

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
