import { createReadStream } from 'node:fs'
import { JSONParser, TokenizerError, TokenParserError } from '@streamparser/json'
import { distance } from 'fastest-levenshtein'
import {
  classifyEntry,
  findApiBase,
  formatLeftOut,
  type SkipReason,
  withoutCredentials,
} from '../../adapters/har/parse-entry.ts'
import { endpoints } from '../../api/endpoints.ts'
import type { Exchange } from '../../http/exchange.ts'
import { suggestEndpoints } from '../../http/unknown-path.ts'
import { apiPath, requestTarget } from '../../http/url.ts'
import { resolvePolicies } from '../../policies/settings.ts'
import { unreadableFileError } from '../../utils/files.ts'
import { isObject } from '../../utils/json.ts'
import { inspectValue, UsageError, unexpectedValue } from '../../utils/usage-error.ts'
import { formatCount } from '../output.ts'
import { decodeContent } from '../recording/decode-content.ts'

/** Returns a function that finds the base URL of the API in a URL. Without a base, it is detected. */
export function createBaseFinder(base: string | undefined): (url: string) => string | null {
  if (base === undefined) return (url) => (/^https?:/i.test(url) ? findApiBase(url) : null)
  if (!/^https?:/i.test(base) || !URL.canParse(base)) {
    throw unexpectedValue('read --base', 'a URL such as https://app.example.com', base)
  }
  const baseUrl = new URL(base).href.replace(/\/+$/, '')
  // The pages of an application often have the same base URL as its API.
  return (url) => (`${url.split(/[?#]/)[0]}/`.startsWith(`${baseUrl}/api/`) ? baseUrl : null)
}

/** The contents of an archive, before it is converted. */
export interface HarScan {
  readonly baseUrl: string
  readonly leftOut: ReadonlyMap<SkipReason, number>
}

/** The number of issues that a message lists. */
const maxIssues = 100

/**
 * Reads an archive for its issues and its base URL.
 *
 * @param onExchange called with each request to the API, in the order of the entries
 * @throws UsageError with every issue of the file, or if it has requests to several APIs
 */
export async function scanHar(
  file: string,
  findBase: (url: string) => string | null,
  onBytes: (bytes: number) => void,
  onExchange: (exchange: Exchange) => void,
): Promise<HarScan> {
  const issues: string[] = []
  const bases = new Map<string, number>()
  const leftOut = new Map<SkipReason, number>()
  let entries = 0
  const nearest = new NearestRequest()
  let issueCount = 0
  const addIssues = (added: readonly string[]): void => {
    issueCount += added.length
    if (issues.length < maxIssues) issues.push(...added)
  }
  await parseHar(file, {
    version(version) {
      if (version === '' || version === '1.1' || version === '1.2') return
      addIssues([`log.version: expected 1.1 or 1.2, got ${inspectValue(version)}`])
    },
    invalidEntries: () => addIssues(['log.entries: expected a list']),
    onBytes,
    entry(entry, index) {
      if (index === 0 && entries > 0) addIssues(['log.entries: expected once, got two lists'])
      entries += 1
      const classified = classifyEntry(entry, `log.entries[${index}]`, findBase, decodeContent)
      if ('issues' in classified) return addIssues(classified.issues)
      if ('skipped' in classified) {
        if (classified.skipped === 'elsewhere') nearest.add(entry)
        return increment(leftOut, classified.skipped)
      }
      increment(bases, classified.base)
      if (issueCount === 0) onExchange(classified.exchange)
    },
  })
  if (issueCount > 0) {
    const shown = issues.slice(0, maxIssues)
    const more = issueCount - shown.length
    throw new UsageError(
      `${file} is not a valid HAR archive: ${formatCount(issueCount, 'problem')}. Nothing was written.`,
      more > 0 ? [...shown, `and ${more} more`] : shown,
    )
  }
  if (entries === 0) {
    throw new UsageError(
      `${file} has no entries. A HAR archive has its requests in log.entries: export it again.`,
    )
  }
  const [baseUrl] = bases.keys()
  if (baseUrl === undefined) {
    const found = [formatCount(entries, 'entry'), formatLeftOut(leftOut)]
    throw new UsageError(
      `${file} has no request to the API (${found.filter(Boolean).join(': ')}).${nearest.describe()} If one of them is, set the base URL of the API with --base.`,
    )
  }
  if (bases.size > 1) {
    const counts = [...bases].map(([base, count]) => `${count} to ${base}`).join(', ')
    throw new UsageError(
      `${file} has requests to several base URLs: ${counts}. Choose one with --base.`,
    )
  }
  return { baseUrl, leftOut }
}

/** An archive has many entries, and to compare paths takes time. */
const maxCompared = 1_000

/** The entry whose URL is most similar to a path of the API. */
class NearestRequest {
  #nearest: { readonly request: string; readonly route: string; readonly letters: number } | null =
    null
  #compared = 0

  add(entry: unknown): void {
    const request = isObject(entry) ? entry.request : null
    const { method, ...sent } = isObject(request) ? request : {}
    const url = withoutCredentials(sent.url)
    if (typeof method !== 'string' || typeof url !== 'string' || !/^https?:/i.test(url)) return
    this.#compared += 1
    if (this.#compared > maxCompared) return
    if (isObject(entry) && /^(?:script|stylesheet|image|font)$/.test(String(entry._resourceType)))
      return
    const [address = ''] = url.split(/[?#]/)
    const path = apiPath(requestTarget(address))
    const [suggestion] = suggestEndpoints(method, path, endpoints, settings)
    if (!suggestion) return
    const { route } = suggestion
    const letters = distance(`${method} ${path.replace(/\/$/, '')}`, fillRoute(route, path))
    // Half of the letters would be another API.
    if (letters * 2 > route.length || (this.#nearest && this.#nearest.letters <= letters)) return
    this.#nearest = { request: `${method} ${address}`, route, letters }
  }

  describe(): string {
    if (!this.#nearest) return ''
    const { request, route } = this.#nearest
    return ` Nearest: ${request} resembles ${route}/.`
  }
}

const settings = resolvePolicies('live')

/** A route with the parameters of a path. @example fillRoute('GET /api/projects/:id', '/api/project/7') */
function fillRoute(route: string, path: string): string {
  const actual = path.split('/')
  const filled = route
    .split('/')
    .map((segment, index) => (segment.startsWith(':') ? (actual[index] ?? segment) : segment))
  return filled.join('/')
}

function increment<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

export interface HarVisitor {
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
