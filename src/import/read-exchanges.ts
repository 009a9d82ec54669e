import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, relative } from 'node:path'
import type { BodyBytes } from '../adapters/har/parse-entry.ts'
import { BodyBudget, maxBody } from '../utils/body-budget.ts'
import { decodeContent } from '../utils/decode-content.ts'
import { UsageError } from '../utils/errors.ts'
import type { Input } from '../utils/input.ts'
import { isObject } from '../utils/json.ts'
import { worldLists } from '../world/tables.ts'
import { howToGetHar, type ReadExchanges, readHar } from './read-har.ts'

const firstFields = [
  ...['$schema', 'format_version', 'title', 'description', 'world', 'profile', 'settings'],
  ...['clock', 'seed', 'steps', 'generate', ...worldLists],
]

/** What a file is by its beginning, because archives can be large. Null if it begins as none of these. */
export function kindOf({ beginning }: Input): 'archive' | 'scenario' | null {
  const [, name = ''] = /^\s*\{\s*"([^"]*)"/.exec(beginning) ?? []
  if (name === 'log') return 'archive'
  return firstFields.includes(name) ? 'scenario' : null
}

/** Reads a HAR archive. @throws UsageError with up to 100 issues of the file */
export function readExchanges(input: Input, base: string | undefined): ReadExchanges {
  const { name: file, beginning } = input
  rejectOther(file, otherTexts, (start) => start.test(beginning))
  const archive = input.archive(howToGetHar)
  rejectOther(file, otherFields, (names) => hasFields(archive, names))
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

type OtherFile = readonly [kind: string, cure?: string]
/** By what tells them apart. */
type Kinds<Sign> = readonly (readonly [sign: Sign, ...OtherFile])[]

const journal: OtherFile = [
  'a journal',
  'Export it as a HAR archive: GET /__admin/journal/har, or journal.toHar().',
]

/** By the beginning of a file that is no JSON. */
const otherTexts: Kinds<RegExp> = [
  [
    /^PK\p{Cc}/u,
    'a ZIP archive',
    'Import the .har file in it. Playwright writes one with the bodies if the name ends with .har.',
  ],
  // The second byte is not valid UTF-8.
  [/^\p{Cc}\ufffd/u, 'compressed with gzip', 'Unpack it with gunzip, and import the .har file.'],
  [/^(?:---\s*)?(?:http_)?interactions:/, 'a cassette of VCR'],
  [/^\s*<[?!a-z]/i, 'XML or HTML', 'In Charles, export the session as an HTTP archive (.har).'],
  [/^\s*\{"id":\d+,"at":/, ...journal],
]

/** By fields of a JSON file, or of the request in it. It has all of them. */
const otherFields: Kinds<readonly string[]> = [
  [['consumer', 'provider'], 'a contract of Pact'],
  [['scheme', 'host'], 'a session of Charles', 'Export it as an HTTP archive (.har).'],
  [['item'], 'a collection of Postman, which has no responses'],
  [['__export_format'], 'an export of Insomnia'],
  [['request', 'fullPath'], 'a session of Proxyman', 'Export it as HAR.'],
  [['request', 'at'], ...journal],
]

/** Whether the first object of a file that is no archive has fields, or the request in it. */
function hasFields(content: unknown, names: readonly string[]) {
  const value = Array.isArray(content) ? content[0] : content
  if (!isObject(value) || 'log' in value || 'startedDateTime' in value) return false
  const fields = { ...Object(value.request), ...value }
  return names.every((name) => Object.hasOwn(fields, name))
}

/** @throws UsageError for a file of another kind, with what to do */
function rejectOther<Sign>(file: string, kinds: Kinds<Sign>, has: (sign: Sign) => boolean) {
  const [, kind, cure = howToGetHar] = kinds.find(([sign]) => has(sign)) ?? []
  if (kind !== undefined) throw new UsageError(`${file} is ${kind}. ${cure}`)
}
