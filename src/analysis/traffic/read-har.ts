import { distance } from 'fastest-levenshtein'
import {
  type BodyReaders,
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
import { resolveSettings } from '../../settings/resolve.ts'
import { formatCount } from '../../utils/count.ts'
import {
  countIssues,
  type Issue,
  inspectValue,
  issuesError,
  maxIssues,
  UsageError,
  unexpectedValue,
} from '../../utils/errors.ts'
import { isObject } from '../../utils/json.ts'

/** How an archive is read. */
interface HarOptions extends BodyReaders {
  /** How messages name the archive: the file, or the beginning of a sentence about it */
  readonly subject: string
  /** The base URL of the API. By default it is detected */
  readonly base: string | undefined
  /** The name of the option for the base URL, for messages */
  readonly baseOption: string
}

/** What an archive is about. */
interface HarScan {
  readonly baseUrl: string
  /** How many entries were left out, by the reason */
  readonly leftOut: ReadonlyMap<SkipReason, number>
  /** What was read otherwise than it is written, in sentences */
  readonly warnings: readonly string[]
}

/** A request to the API in an archive. */
interface ApiRequest {
  readonly exchange: Exchange
  readonly base: string
  /** The index of its entry */
  readonly index: number
}

const entries = ['log', 'entries']

/** Reads the entries of an archive for its requests to the API, its base URL and its issues. */
class HarReader {
  readonly #options: HarOptions
  readonly #findBase: (url: string) => string | null
  readonly #issues: Issue[] = []
  readonly #requests: ApiRequest[] = []
  readonly #leftOut = new Map<SkipReason, number>()
  readonly #nearest = new NearestRequest()
  #entryCount = 0

  /** @throws UsageError if `base` is not a URL */
  constructor(options: HarOptions) {
    this.#options = options
    this.#findBase = createBaseFinder(options.base, options.baseOption)
  }

  version(version: unknown): void {
    if (/^(?:1\.[12])?$/.test(String(version))) return
    const text = `expected 1.1 or 1.2, got ${inspectValue(version)}`
    this.#addIssues([{ path: ['log', 'version'], text }])
  }

  invalidEntries(): void {
    this.#addIssues([{ path: entries, text: 'expected a list' }])
  }

  entry(entry: unknown, index: number): void {
    this.#entryCount += 1
    const path = [...entries, index]
    const classified = classifyEntry(entry, path, this.#findBase, this.#options)
    if ('issues' in classified) this.#addIssues(classified.issues)
    else if ('exchange' in classified) this.#requests.push({ ...classified, index })
    else {
      if (classified.skipped === 'elsewhere') this.#nearest.add(entry)
      this.skip(classified.skipped)
    }
  }

  skip(reason: SkipReason): void {
    this.#leftOut.set(reason, (this.#leftOut.get(reason) ?? 0) + 1)
  }

  /** @throws UsageError with every issue, or if the archive has requests to no API, or to several */
  finish(): HarScan & { readonly requests: readonly ApiRequest[] } {
    const { subject, baseOption } = this.#options
    if (this.#issues.length > 0) {
      const found = countIssues(this.#issues)
      throw issuesError(
        `${subject} is not a valid HAR archive: ${found}. Nothing was written.`,
        this.#issues,
      )
    }
    if (this.#entryCount === 0) {
      throw new UsageError(
        `${subject} has no entries. A HAR archive has its requests in log.entries: export it again.`,
      )
    }
    const bases = new Map<string, number>()
    for (const { base } of this.#requests) bases.set(base, (bases.get(base) ?? 0) + 1)
    const [[baseUrl] = []] = [...bases].sort(([, a], [, b]) => b - a)
    if (baseUrl === undefined) {
      const found = [formatCount(this.#entryCount, 'entry'), formatLeftOut(this.#leftOut)]
      throw new UsageError(
        `${subject} has no request to the API (${found.filter(Boolean).join(': ')}).${this.#nearest.describe()} If one of them is, set the base URL of the API with ${baseOption}.`,
      )
    }
    if ([...bases.keys()].some((base) => addressOf(base) !== addressOf(baseUrl))) {
      const counts = [...bases].map(([base, count]) => `${count} to ${base}`).join(', ')
      throw new UsageError(
        `${subject} has requests to several base URLs: ${counts}. Choose one with ${baseOption}.`,
      )
    }
    const others = [...bases].filter(([base]) => base !== baseUrl)
    const warnings = others.map(
      ([base, count]) => `${formatCount(count, 'request')} to ${base} read as to ${baseUrl}.`,
    )
    const requests = this.#requests.map((request): ApiRequest => {
      const { exchange, base } = request
      const url = baseUrl + exchange.url.slice(base.length)
      return { ...request, exchange: { ...exchange, url } }
    })
    return { baseUrl, leftOut: this.#leftOut, warnings, requests }
  }

  #addIssues(added: readonly Issue[]): void {
    this.#issues.push(...added.slice(0, maxIssues - this.#issues.length))
  }
}

/** Returns a function that finds the base URL of the API in a URL. It returns null for any other URL. */
function createBaseFinder(
  base: string | undefined,
  baseOption: string,
): (url: string) => string | null {
  if (base === undefined) return (url) => (/^https?:/i.test(url) ? findApiBase(url) : null)
  if (!/^https?:/i.test(base) || !URL.canParse(base)) {
    throw unexpectedValue(`read ${baseOption}`, 'a URL such as https://app.example.com', base)
  }
  const baseUrl = new URL(base).href.replace(/\/+$/, '')
  // The pages of an application often have the same base URL as its API.
  return (url) => (`${url.split(/[?#]/)[0]}/`.startsWith(`${baseUrl}/api/`) ? baseUrl : null)
}

/** A URL without `http:` or `https:`. A page can use both for one service. */
function addressOf(url: string): string {
  return url.replace(/^https?:/i, '')
}

/**
 * Reads an archive.
 *
 * @param onExchange called with each request to the API, in the order of the entries
 * @throws UsageError with every issue, or if the archive has requests to no API, or to several
 */
export function readHar(
  { log }: { readonly log?: unknown },
  options: HarOptions,
  onExchange: (exchange: Exchange, index: number) => void,
): HarScan {
  const reader = new HarReader(options)
  const { version, entries } = isObject(log) ? log : {}
  reader.version(version ?? '')
  if (Array.isArray(entries)) {
    const repeated = findRepeated(entries)
    for (const [index, entry] of entries.entries()) {
      if (repeated.has(entry)) reader.skip('worker')
      else reader.entry(entry, index)
    }
  } else if (entries !== undefined) reader.invalidEntries()
  const { requests, ...scan } = reader.finish()
  for (const { exchange, index } of requests) onExchange(exchange, index)
  return scan
}

/** Finds the requests that a service worker sent for a page, whose own entry has the same request. */
function findRepeated(entries: readonly unknown[]): ReadonlySet<unknown> {
  const objects = entries.filter(isObject)
  const isOfWorker = (entry: Record<string, unknown>): boolean => entry._serviceWorkerRef != null
  const own = new Set(objects.filter((entry) => !isOfWorker(entry)))
  const repeated = new Set<unknown>()
  for (const entry of objects.filter(isOfWorker)) {
    const [start, name] = [startOf(entry), nameOf(entry)]
    const page = [...own].find(
      (each) =>
        nameOf(each) === name &&
        start >= startOf(each) - tolerance &&
        start <= startOf(each) + Number(each.time ?? 0) + tolerance,
    )
    if (!page) continue
    own.delete(page)
    repeated.add(entry)
  }
  return repeated
}

/** In milliseconds: how far the starts of a request of a page and of that of its service worker can be apart. */
const tolerance = 100

function startOf({ startedDateTime }: Record<string, unknown>): number {
  return Date.parse(String(startedDateTime))
}

/** What two entries of one request have in common. */
function nameOf({ request }: Record<string, unknown>): string {
  const { method, url, postData } = isObject(request) ? request : {}
  return JSON.stringify([method, url, isObject(postData) ? postData.text : null])
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

const settings = resolveSettings('live')

/** A route with the parameters of a path. @example fillRoute('GET /api/projects/:id', '/api/project/7') */
function fillRoute(route: string, path: string): string {
  const actual = path.split('/')
  const filled = route
    .split('/')
    .map((segment, index) => (segment.startsWith(':') ? (actual[index] ?? segment) : segment))
  return filled.join('/')
}
