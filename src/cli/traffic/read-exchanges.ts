import { closeSync, openSync, readFileSync, readSync } from 'node:fs'
import { dirname, isAbsolute, join, relative } from 'node:path'
import { type ReadExchanges, readHar } from '../../scenarios/import/read-har.ts'
import { journalExchange, journalValues, readJournal } from '../../scenarios/import/read-journal.ts'
import { readScenarioText } from '../../scenarios/library.ts'
import { UsageError } from '../../utils/errors.ts'
import { unreadableFileError } from '../../utils/files.ts'
import { parseJsonText } from '../../utils/parse-json-text.ts'
import { worldLists } from '../../world/tables.ts'
import { decodeContent } from '../recording/decode-content.ts'
import { rejectOtherArchive, rejectOtherFormat } from './other-formats.ts'

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
  rejectOtherFormat(beginningOf(file), file)
  const text = await readScenarioText(file)
  if (kindOfFile(file) === 'journal') {
    if (base !== undefined) {
      throw new UsageError(`--base is about HAR archives. ${file} is a journal.`)
    }
    const values = journalValues(text)
    if (values === null) throw new UsageError(`${file} is not a valid journal: it is not JSON.`)
    rejectOtherArchive(text.trimStart().startsWith('[') ? values : values[0], file)
    const entries = readJournal(values, file)
    const numbers = entries.map(({ id }) => id)
    const read = { baseUrl: undefined, leftOut: new Map(), warnings: [] }
    return { exchanges: entries.map(journalExchange), numbers, ...read }
  }
  const archive = parseJsonText(text, file, 'Export the archive again.')
  rejectOtherArchive(archive, file)
  const readFile = (name: string) => readBeside(file, name)
  return readHar(archive, file, base, { decode: decodeContent, readFile })
}

/** Reads a file of the folder of an archive, in which Playwright writes bodies. Null if there is none. */
function readBeside(archive: string, name: string): Uint8Array | null {
  const folder = dirname(archive)
  const path = relative(folder, join(folder, name))
  if (isAbsolute(name) || path.startsWith('..')) return null
  try {
    return readFileSync(join(folder, path))
  } catch {
    return null
  }
}
