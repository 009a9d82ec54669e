import { closeSync, openSync, readSync } from 'node:fs'
import type { SkipReason } from '../../adapters/har/parse-entry.ts'
import { readHar } from '../../analysis/traffic/read-har.ts'
import { journalValues, readJournal } from '../../analysis/traffic/read-journal.ts'
import type { Exchange } from '../../http/exchange.ts'
import { readScenarioText } from '../../scenarios/library.ts'
import { UsageError } from '../../utils/errors.ts'
import { unreadableFileError } from '../../utils/files.ts'
import { isObject } from '../../utils/json.ts'
import { parseJsonText } from '../../utils/parse-json-text.ts'
import { worldLists } from '../../world/tables.ts'
import { decodeContent } from '../recording/decode-content.ts'

/** The requests to the API in a file. */
export interface ReadExchanges {
  readonly exchanges: readonly Exchange[]
  /** The number of each in its file: counted from 1 in an archive, its id in a journal */
  readonly numbers: readonly number[]
  /** Undefined for a journal, whose addresses are made up */
  readonly baseUrl: string | undefined
  /** How many entries were left out, by the reason */
  readonly leftOut: ReadonlyMap<SkipReason, number>
}

/** The names of fields with which a scenario or a world can begin. A HAR archive begins with another one. */
const firstFields = [
  ...['$schema', 'format_version', 'title', 'description', 'world', 'profile', 'settings'],
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
 * Reads a HAR archive or a journal.
 *
 * @throws UsageError with every issue of the file
 */
export async function readExchanges(
  file: string,
  base: string | undefined,
): Promise<ReadExchanges> {
  const exchanges: Exchange[] = []
  const numbers: number[] = []
  const add = (exchange: Exchange, number: number): void => {
    exchanges.push(exchange)
    numbers.push(number)
  }
  const text = await readScenarioText(file)
  if (kindOfFile(file) === 'journal') {
    if (base !== undefined) {
      throw new UsageError(`--base is about HAR archives. ${file} is a journal.`)
    }
    const values = journalValues(text)
    if (values === null) throw new UsageError(`${file} is not a valid journal: it is not JSON.`)
    readJournal(values, file, add)
    return { exchanges, numbers, baseUrl: undefined, leftOut: new Map() }
  }
  if (text.startsWith('PK\x03\x04')) {
    throw new UsageError(
      `${file} is a ZIP archive. Import the .har file in it. Playwright writes one with the bodies if the name ends with .har.`,
    )
  }
  const archive = parseJsonText(text, file, 'Export the archive again.')
  const options = { subject: file, base, baseOption: '--base', decode: decodeContent }
  const scan = readHar(isObject(archive) ? archive : {}, options, (exchange, index) =>
    add(exchange, index + 1),
  )
  return { exchanges, numbers, ...scan }
}
