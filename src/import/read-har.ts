import {
  type BodyReaders,
  classifyEntry,
  findApiBase,
  formatLeftOut,
  type LeftOut,
  type SkipReason,
} from '../adapters/har/parse-entry.ts'
import type { Exchange, ExchangedBody } from '../http/exchange.ts'
import {
  countIssues,
  type Issue,
  inspectValue,
  issuesError,
  maxIssues,
  UsageError,
  unexpectedValue,
} from '../utils/errors.ts'
import { isDeeperThan, isObject } from '../utils/json.ts'
import { groupBy } from '../utils/latest-map.ts'
import { formatCount, shortList } from '../utils/text.ts'

export type ReadExchanges = ReturnType<typeof readHar>

export const howToGetHar =
  'A HAR archive is what browsers save as HAR in the network panel. Or record the traffic: npx understudy-api record --target URL --out FILE.'

/** Reads an archive: its requests to the API in the order of the entries. @throws UsageError */
export function readHar(
  archive: unknown,
  file: string,
  base: string | undefined,
  readers: BodyReaders,
) {
  const findBase = createBaseFinder(base)
  // Scripts leave out what is around the entries.
  const whole = Array.isArray(archive) ? { entries: archive } : Object(archive)
  const { version = '', entries = [] } = Object(whole.log ?? whole)
  const issues: Issue[] = []
  if (!/^(?:1\.[12])?$/.test(String(version))) {
    const text = `expected 1.1 or 1.2, got ${inspectValue(version)}`
    issues.push({ path: ['log', 'version'], text })
  }
  const list: readonly unknown[] = Array.isArray(entries) ? entries : []
  if (list !== entries) issues.push({ path: ['log', 'entries'], text: 'expected a list' })
  const objects = list.filter(isObject)
  const repeated = new Map([...findTwice(objects), ...findOfWorkers(objects)])
  const requests: { exchange: Exchange; base: string }[] = []
  const notes = new Map<string, Set<string>>()
  const leftOut = new Map<SkipReason, number>()
  let start = new Date(0).toISOString()
  for (const [index, entry] of list.entries()) {
    if (issues.length >= maxIssues) break
    const skipped = repeated.get(entry)
    const note: BodyReaders['note'] = (how, detail) => {
      const entries = notes.get(how) ?? new Set()
      notes.set(how, entries.add(`${index + 1}${detail ? ` (${detail})` : ''}`))
    }
    const place = ['log', 'entries', index]
    const classified = skipped
      ? { skipped }
      : classifyEntry(entry, place, findBase, { ...readers, note })
    if ('issues' in classified) issues.push(...classified.issues)
    else if ('exchange' in classified) {
      const { exchange, base } = classified
      if (exchange.at === '')
        note('Read as sent right after the one before it, or in 1970, since it has no time: entry')
      start = exchange.at || start
      requests.push({ exchange: { ...exchange, at: start }, base })
    } else leftOut.set(classified.skipped, (leftOut.get(classified.skipped) ?? 0) + 1)
  }
  if (issues.length > 0) {
    throw issuesError(
      `${file} is not a valid HAR archive: ${countIssues(issues)}. Nothing was written.`,
      issues,
    )
  }
  if (list.length === (leftOut.get('unreadable') ?? 0)) {
    const none = list.length === 0 ? 'no entries' : 'no entry with a request.url'
    throw new UsageError(
      `${file} has ${none}. A HAR archive has its requests in log.entries. ${howToGetHar}`,
    )
  }
  const counts = new Map<string, number>()
  for (const { base } of requests) counts.set(base, (counts.get(base) ?? 0) + 1)
  const [[baseUrl] = [], ...others] = [...counts].sort(([, a], [, b]) => b - a)
  if (baseUrl === undefined) {
    const what = [formatCount(list.length, 'entry'), formatLeftOut(leftOut)].filter(Boolean)
    throw new UsageError(
      `${file} has no request to the API (${what.join(': ')}). If one of them is, set the base URL of the API with --base.`,
    )
  }
  if (others.some(([url]) => addressOf(url) !== addressOf(baseUrl))) {
    const urls = [...counts].map(([url, count]) => `${count} to ${url}`).join(', ')
    throw new UsageError(
      `${file} has requests to several base URLs: ${urls}. Choose one with --base.`,
    )
  }
  const cached = new Map<string, ExchangedBody>()
  const hasCache = requests.some(({ exchange }) => exchange.response.status === 304)
  return {
    exchanges: requests.map(({ exchange: { request, ...exchange }, base }) => {
      const url = baseUrl + exchange.url.slice(base.length)
      // A service with 304s reads them.
      const headers = request.headers.filter(
        ([name]) => !(hasCache && /^if-(?:none|modified)/i.test(name)),
      )
      const known = { ...exchange, url, request: { ...request, headers } }
      const { response } = exchange
      const body = response.body ?? (response.status === 304 && cached.get(url))
      // A page saw the 200 of its cache, whose body many exporters leave out.
      if (!body || ![200, 304].includes(response.status)) return known
      cached.set(url, body)
      return { ...known, response: { ...response, status: 200, body } }
    }),
    baseUrl,
    leftOut: leftOut as LeftOut,
    /** What was read otherwise than it is written, in sentences */
    warnings: [
      ...others.map(
        ([url, count]) => `${formatCount(count, 'request')} to ${url} read as to ${baseUrl}.`,
      ),
      ...[...notes].map(([how, entries]) => `${how} ${shortList([...entries], 5).join(', ')}.`),
    ],
  }
}

function createBaseFinder(base: string | undefined): (url: string) => string | null {
  if (base === undefined) return (url) => (/^https?:/i.test(url) ? findApiBase(url) : null)
  if (!/^https?:/i.test(base) || !URL.canParse(base)) {
    throw unexpectedValue('read --base', 'a URL such as https://app.example.com', base)
  }
  const baseUrl = new URL(base).href.replace(/\/+$/, '')
  // The pages of an application often have the same base URL as its API.
  return (url) => (`${url.split(/[?#]/)[0]}/`.startsWith(`${baseUrl}/api/`) ? baseUrl : null)
}

/** A URL without its scheme and usual port. A page can use both for one service. */
function addressOf(url: string) {
  return url.replace(/^https?:/i, '').replace(/^(\/\/[^/]*):(?:80|443)(?=\/|$)/, '$1')
}

type RawObject = Readonly<Record<string, unknown>>

type Repeated = ReadonlyMap<unknown, SkipReason>

/** Finds the entries that stand twice in an archive of two exports: no client sends the same in one millisecond. */
function findTwice(entries: readonly RawObject[]): Repeated {
  const isProof = ({ response, startedDateTime: start }: RawObject) =>
    Object(response).status === 201 || /\.\d*[1-9]/.test(String(start))
  const ofOneTime = groupBy(entries, ({ startedDateTime: start, time }) => `${start} ${time}`)
  const copies = [...ofOneTime.values()].flatMap((group) => {
    const names = new Set<string>()
    const isCopy = (entry: RawObject) =>
      !isDeeperThan(99, entry) && names.size === names.add(JSON.stringify(entry)).size
    return group.length === 1 ? [] : group.filter(isCopy)
  })
  return new Map(copies.some(isProof) ? copies.map((entry) => [entry, 'twice']) : [])
}

/** Finds one of the two entries of a request that a page sent, and its service worker, too. */
function findOfWorkers(entries: readonly RawObject[]): Repeated {
  const timed = entries.map((entry): TimedEntry => {
    const start = Date.parse(String(entry.startedDateTime))
    return { entry, start, end: start + Number(entry.time ?? 0), name: nameOf(entry) }
  })
  // Playwright marks the entry of the worker, Chromium's developer tools that of the page.
  const isOfWorker = ({ entry }: TimedEntry) =>
    entry._serviceWorkerRef != null || Object(entry.response)._fetchedViaServiceWorker === true
  const pages = timed.filter((item) => !isOfWorker(item))
  const ofPages = groupBy(pages, ({ name }) => name)
  const repeated = new Map<unknown, SkipReason>()
  for (const { entry, start, name } of timed.filter(isOfWorker)) {
    const equal = ofPages.get(name) ?? []
    const at = equal.findIndex(
      (page) => start >= page.start - tolerance && start <= page.end + tolerance,
    )
    if (at < 0) continue
    equal.splice(at, 1)
    repeated.set(entry, 'worker')
  }
  return repeated
}

/** An entry of an archive, and when it happened, in milliseconds. */
interface TimedEntry {
  readonly entry: RawObject
  readonly start: number
  readonly end: number
  /** What two entries of one request have in common */
  readonly name: string
}

/** In milliseconds: how far the starts of the two requests can be apart. */
const tolerance = 100

function nameOf({ request }: RawObject) {
  const { method, url, postData } = isObject(request) ? request : {}
  return JSON.stringify([method, url, isObject(postData) ? postData.text : null])
}
