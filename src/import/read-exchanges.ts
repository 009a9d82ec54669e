import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, relative } from 'node:path'
import * as z from 'zod'
import type { BodyBytes } from '../adapters/har/parse-entry.ts'
import type { Exchange, ExchangedMessage } from '../http/exchange.ts'
import {
  type JournalEntry,
  type JournalMessage,
  journalEntrySchema,
} from '../simulator/journal/entry.ts'
import { BodyBudget, maxBody } from '../utils/body-budget.ts'
import { decodeContent } from '../utils/decode-content.ts'
import { issuesError, schemaIssues, UsageError } from '../utils/errors.ts'
import type { Input } from '../utils/input.ts'
import { isObject, tryParseJson } from '../utils/json.ts'
import { writeQuery } from '../utils/query.ts'
import { formatCount } from '../utils/text.ts'
import { worldLists } from '../world/tables.ts'
import { howToGetHar, type ReadExchanges, readHar } from './read-har.ts'

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
    const read = { baseUrl: undefined, leftOut: new Map(), warnings: [] }
    return { exchanges: entries.map(journalExchange), ...read }
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

/** The values of a text that can be a journal: a list, or an entry in each line. Null for any other text. */
function journalValues(text: string): readonly unknown[] | null {
  const start = text.trimStart()
  if (start.startsWith('[')) {
    const value = tryParseJson(text)?.value
    return Array.isArray(value) ? value : null
  }
  const values: unknown[] = []
  for (const line of start.split('\n')) {
    if (line.trim() === '') continue
    const value = tryParseJson(line)?.value
    if (!isEntry(value)) return null
    values.push(value)
  }
  return values.length > 0 ? values : null
}

/** Whether a value can be an entry of a journal. */
function isEntry(value: unknown): boolean {
  return isObject(value) && 'request' in value
}

/** Checks the entries of a journal. @param file how messages name it @throws UsageError with every issue */
function readJournal(values: readonly unknown[], file: string): readonly JournalEntry[] {
  if (values.length === 0) throw new UsageError(`${file} has no entry. Send requests first.`)
  const issues = schemaIssues(z.array(journalEntrySchema), values)
  if (issues.length === 0) return values as readonly JournalEntry[]
  const count = formatCount(issues.length, 'problem')
  throw issuesError(`${file} is not a valid journal: ${count}.`, issues)
}

/**
 * Converts an entry of a journal to a request and its response. Its key stays masked: only its label is known.
 *
 * @example simulator.journal.find().map(journalExchange)
 */
export function journalExchange({ query, query_text, key, ...entry }: JournalEntry): Exchange {
  const { at, ms, method, path, request, response } = entry
  const text = query_text ?? writeQuery(Object.entries(query))
  const host = request.headers.host ?? 'localhost'
  const label = key === null ? { key: null } : key.label === null ? {} : { key: key.label }
  return {
    at,
    ms,
    method,
    url: `http://${host}${path}${text === '' ? '' : `?${text}`}`,
    ...label,
    request: toMessage(request),
    // The journal keeps the body that a GET would have.
    response: {
      status: response.status,
      ...toMessage(response),
      ...(method === 'HEAD' && { body: null }),
    },
  }
}

function toMessage({ headers, body, bytes, omitted }: JournalMessage): ExchangedMessage {
  // No header can have the character that masks a key.
  const pairs = Object.entries(headers).map(
    ([name, text]) => [name, text.replaceAll('…', '...')] as const,
  )
  if (omitted) return { headers: pairs, body: { omitted: bytes } }
  if (body === null && bytes === 0) return { headers: pairs, body: null }
  const type = headers['content-type'] ?? ''
  const isForm = type.startsWith('application/x-www-form-urlencoded') && typeof body === 'object'
  // A text of another type is not JSON. A JSON text is a value.
  const isText = typeof body === 'string' && !/json/i.test(type)
  const text = isForm
    ? writeQuery(Object.entries(body as Record<string, string>))
    : isText
      ? body
      : JSON.stringify(body)
  return { headers: pairs, body: { text } }
}

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
  // An entry of a journal, which has a time, has a request, too.
  if (!isObject(value) || 'log' in value || 'at' in value) return
  // Proxyman and WireMock both have a request.
  const { request } = value
  const isProxyman = isObject(request) && 'fullPath' in request
  const ofRequest = isProxyman
    ? (['a session of Proxyman', 'Export it as HAR.'] as const)
    : (['a stub of WireMock', howToGetHar] as const)
  const [, ...format] =
    otherFields.find(([names]) => names.every((name) => Object.hasOwn(value, name))) ?? []
  const [kind, cure] = isObject(request) ? ofRequest : format
  if (kind !== undefined) throw new UsageError(`${file} is ${kind}. ${cure}`)
}
