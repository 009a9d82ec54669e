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

/** The names of fields with which a scenario or a world can begin. A HAR archive begins with another one. */
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

/**
 * Reads a HAR archive.
 *
 * @throws UsageError with up to 100 issues of the file
 */
export function readExchanges(input: Input, base: string | undefined): ReadExchanges {
  const { name: file } = input
  rejectOtherFormat(input.beginning, file)
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

const journal = [
  'a journal',
  'Export it as a HAR archive: GET /__admin/journal/har, or journal.toHar().',
] as const

/** What a file is that is no JSON, by its beginning, and how to get an archive that can be read. */
const otherTexts: readonly (readonly [beginning: RegExp | string, kind: string, cure: string])[] = [
  [
    'PK\x03\x04',
    'a ZIP archive',
    'Import the .har file in it. Playwright writes one with the bodies if the name ends with .har.',
  ],
  // The second byte is not valid UTF-8.
  ['\x1f\ufffd', 'compressed with gzip', 'Unpack it with gunzip, and import the .har file.'],
  [/^(?:---\s*)?(?:http_)?interactions:/, 'a cassette of VCR', howToGetHar],
  [/^\s*<[?!a-z]/i, 'XML or HTML', 'In Charles, export the session as an HTTP archive (.har).'],
  [
    /^(?:###.*\n|#.*\n|\s)*(?:GET|POST|PUT|PATCH|DELETE) \S/,
    'a list of requests (.http), without responses',
    howToGetHar,
  ],
  [/^\s*(?:await\s+)?fetch\(/, 'code that sends requests, and no HAR archive', howToGetHar],
  [/^\s*\{"id":\d+,"at":/, ...journal],
  [
    /^(?:meta \{|type: collection\.insomnia)/,
    'a collection of requests, without responses',
    howToGetHar,
  ],
]

const openApiDocument = [
  'an OpenAPI document, which has no requests',
  'Serve the API without a file: npx understudy-api serve.',
] as const

/** What a JSON file is that has all these fields. */
const otherFields: readonly (readonly [fields: readonly string[], kind: string, cure: string])[] = [
  [['consumer', 'provider'], 'a contract of Pact', howToGetHar],
  [['http_interactions'], 'a cassette of VCR', howToGetHar],
  [['interactions'], 'a cassette of VCR', howToGetHar],
  [['mappings'], 'a list of stubs of WireMock', howToGetHar],
  [['httpRequest'], 'a list of expectations of MockServer', howToGetHar],
  [['data', 'meta'], 'a simulation of Hoverfly', howToGetHar],
  [['folders', 'requests'], 'a collection of Hoppscotch, which has no responses', howToGetHar],
  [['collectionName'], 'a collection of Thunder Client, which has no responses', howToGetHar],
  [['constants', 'events'], 'a network log of Chromium (net log)', howToGetHar],
  [['title', 'steps'], 'a recording of user steps, without responses', howToGetHar],
  [['item'], 'a collection of Postman, which has no responses', howToGetHar],
  [['routes'], 'an environment of Mockoon', howToGetHar],
  [['__export_format'], 'an export of Insomnia', howToGetHar],
  [['openapi'], ...openApiDocument],
  [['swagger'], ...openApiDocument],
  [['scope'], 'a list of definitions of nock', howToGetHar],
]

/** @throws UsageError for the text of a file of another kind, with what to do */
function rejectOtherFormat(text: string, file: string): void {
  const format = otherTexts.find(([beginning]) =>
    typeof beginning === 'string' ? text.startsWith(beginning) : beginning.test(text),
  )
  if (format) throw new UsageError(`${file} is ${format[1]}. ${format[2]}`)
}

/** @throws UsageError for the content of a file of another kind, with what to do */
function rejectOtherArchive(content: unknown, file: string): void {
  const value = Array.isArray(content) ? content[0] : content
  if (!isObject(value) || 'log' in value || 'startedDateTime' in value) return
  // Proxyman and WireMock both have a request.
  const { request } = value
  const isProxyman = isObject(request) && 'fullPath' in request
  const ofRequest = isProxyman
    ? (['a session of Proxyman', 'Export it as HAR.'] as const)
    : (['a stub of WireMock', howToGetHar] as const)
  const [, ...format] =
    otherFields.find(([names]) => names.every((name) => Object.hasOwn(value, name))) ?? []
  const [kind, cure] = isObject(request) ? ('at' in value ? journal : ofRequest) : format
  if (kind !== undefined) throw new UsageError(`${file} is ${kind}. ${cure}`)
}
