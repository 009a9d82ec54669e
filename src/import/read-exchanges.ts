import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, relative } from 'node:path'
import type { BodyBytes } from '../adapters/har/parse-entry.ts'
import { BodyBudget, maxBody } from '../utils/body-budget.ts'
import { decodeContent } from '../utils/decode-content.ts'
import { UsageError } from '../utils/errors.ts'
import type { Input } from '../utils/input.ts'
import { worldLists } from '../world/tables.ts'
import { howToGetHar, rejectOtherArchive, rejectOtherFormat } from './other-formats.ts'
import { type ReadExchanges, readHar } from './read-har.ts'
import { journalExchange, journalValues, readJournal } from './read-journal.ts'

/** The names of fields with which a scenario or a world can begin. A HAR archive begins with another one. */
const firstFields = [
  ...['$schema', 'format_version', 'title', 'description', 'world', 'profile', 'settings'],
  ...['clock', 'seed', 'steps', 'generate', ...worldLists],
]

/** What a file is by its beginning, because archives can be large. Null if it begins as none of these. */
export function kindOf({ beginning }: Input): 'archive' | 'journal' | 'scenario' | null {
  const [, name] = /^\s*\{\s*"([^"]*)"/.exec(beginning) ?? []
  if (name === undefined) return /^\s*\[/.test(beginning) ? 'journal' : null
  if (name === 'log') return 'archive'
  if (name === 'id') return 'journal'
  return firstFields.includes(name) ? 'scenario' : null
}

/**
 * Reads a HAR archive or a journal.
 *
 * @throws UsageError with every issue of the file
 */
export async function readExchanges(
  input: Input,
  base: string | undefined,
): Promise<ReadExchanges> {
  const { name: file } = input
  rejectOtherFormat(input.beginning, file)
  if (kindOf(input) === 'journal') {
    if (base !== undefined) {
      throw new UsageError(`--base is about HAR archives. ${file} is a journal.`)
    }
    const { text } = input
    const values = journalValues(text)
    if (values === null) {
      throw new UsageError(
        `${file} is not a valid journal: it is not JSON. ${input.advise()}`.trimEnd(),
      )
    }
    rejectOtherArchive(text.trimStart().startsWith('[') ? values : values[0], file)
    const entries = readJournal(values, file)
    const numbers = entries.map(({ id }) => id)
    const read = { baseUrl: undefined, leftOut: new Map(), warnings: [] }
    return { exchanges: entries.map(journalExchange), numbers, ...read }
  }
  const archive = input.archive(howToGetHar)
  rejectOtherArchive(archive, file)
  const budget = new BodyBudget()
  const keep = (bytes: Uint8Array): BodyBytes =>
    budget.takes(bytes.length) ? bytes : { omitted: bytes.length }
  const read = readHar(archive, file, base, {
    decode(bytes, encoding) {
      const decoded = decodeContent(bytes, encoding)
      return decoded && keep(decoded)
    },
    keep,
    // A pipe has no folder.
    readFile: (name) => (input.isPipe ? null : readBeside(file, name, keep)),
  })
  return budget.isSpent ? { ...read, warnings: [...read.warnings, budget.sentence] } : read
}

/** Reads a file of the folder of an archive, in which Playwright writes bodies. Null if there is none. */
function readBeside(
  archive: string,
  name: string,
  keep: (bytes: Uint8Array) => BodyBytes,
): BodyBytes | null {
  if (isAbsolute(name)) return null
  try {
    const folder = realpathSync(dirname(archive))
    // A link can lead elsewhere, and what is no regular file can have no end.
    const file = realpathSync(join(folder, name))
    const path = relative(folder, file)
    const stats = statSync(file)
    if (path.startsWith('..') || isAbsolute(path) || !stats.isFile()) return null
    return stats.size > maxBody ? { omitted: stats.size } : keep(readFileSync(file))
  } catch {
    return null
  }
}
