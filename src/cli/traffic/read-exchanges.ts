import { closeSync, openSync, readSync } from 'node:fs'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { SkipReason } from '../../adapters/har/parse-entry.ts'
import { HarReader } from '../../analysis/traffic/read-har.ts'
import { journalValues, readJournal } from '../../analysis/traffic/read-journal.ts'
import type { Exchange } from '../../http/exchange.ts'
import { readScenarioText } from '../../scenarios/library.ts'
import { unreadableFileError } from '../../utils/files.ts'
import { PackedList, type Packing } from '../../utils/packed-list.ts'
import { UsageError } from '../../utils/usage-error.ts'
import { worldLists } from '../../world/table/tables.ts'
import { parseHar } from '../har/read-har.ts'
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
