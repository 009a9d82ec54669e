import { isLoweredLimit } from '../../sandbox/journal/ignored-input.ts'
import {
  type ClientRequest,
  type ClientRule,
  documented,
  RecentMap,
  type ReportMistake,
  type RequestTrace,
  type RequestWatcher,
  type RuleGroup,
  Streak,
} from './rule.ts'

/** A test that polls on a frozen clock is no loop. */
const repeated = { times: 15, seconds: 0.5, mustTimePass: true }

const repeatedPage: ClientRule = {
  id: 'repeated-page',
  sentence: `A client got the same page of a list ${repeated.times} times, never with more than ${repeated.seconds} seconds in between, and no row changed meanwhile. The count begins again when the client goes from the last page to the first one. On a frozen clock no time passes, so nothing is reported.`,
  cure: 'Follow the whole URL of `next`, its query included, until it is null.',
  level: 'warning',
  ...documented('next: address of the next page'),
}

const pageArithmetic: ClientRule = {
  id: 'page-arithmetic',
  sentence:
    'A client computed an offset that no page which it had read leads to: neither a link, nor the number of rows that came, nor a `limit` of its own that the API kept to.',
  cure: 'Follow `next`. The default limit and the largest limit are not documented.',
  level: 'warning',
  ...documented('next: address of the next page; default and maximum values of limit: not shown'),
}

const unreadPages: ClientRule = {
  id: 'unread-pages',
  sentence:
    'A client read the first page of a list without `limit` and `search`, and never the last page of it.',
  cure: 'Follow `next` until it is null, or pass the `limit` that you mean.',
  level: 'note',
  ...documented('list operations are paginated; default value of limit: not shown'),
}

/** What a client knows of a list. */
interface KnownList {
  /** The latest page with a link to a next page */
  readonly page: RequestTrace
  readonly next: string
  /** Whether it read the last page, or all rows */
  readonly isRead: boolean
  /** The request for the first page, if it should have been followed by others */
  readonly unread: RequestTrace | null
}

/** The way of a client through the pages of a list. */
interface Way {
  readonly streaks: RecentMap<Streak>
  readonly writes: number
  /** Whether the client read the last page */
  isEnded: boolean
}

/** Finds lists that are not read page by page. */
class PageWatcher implements RequestWatcher {
  readonly #lists = new RecentMap<KnownList>(1_000)
  /** The addresses and the offsets that a page leads to, and limits that the API lowered */
  readonly #links = new RecentMap<true>(10_000)
  readonly #ends = new RecentMap<true>(10_000)
  readonly #lowered = new RecentMap<true>(1_000)
  readonly #ways = new RecentMap<Way>(1_000)
  #writes = 0

  add(request: ClientRequest, report: ReportMistake): void {
    const { entry, client, path, address, page, trace } = request
    if (entry.changes.length > 0) this.#writes += 1
    if (!page) return
    this.#countRepetition(request, report)
    this.#rememberPage(request)
    const list = `${client} ${path}`
    const known = this.#lists.get(list)
    if (known && this.#isComputed(request)) {
      const message = `The client computed ${queryOf(address)}, and \`next\` was ${queryOf(known.next)}.`
      report(pageArithmetic, list, message, [known.page, trace])
    }
    const { next, previous } = page
    for (const link of [next, previous]) if (link) this.#links.set(`${client} ${link}`, true)
    const isLimited = 'limit' in entry.query || 'search' in entry.query
    const isRead = known?.isRead || (next === null && !('search' in entry.query))
    if (next !== null) {
      const unread = known?.unread ?? (isLimited || previous !== null ? null : trace)
      this.#lists.set(list, { page: trace, next, isRead, unread })
    } else if (known) this.#lists.set(list, { ...known, isRead })
  }

  reportOpen(report: ReportMistake): void {
    for (const [list, { unread, isRead }] of this.#lists) {
      if (!unread || isRead) continue
      const message =
        'The list has more rows than this page, and the client did not read the last page.'
      report(unreadPages, list, message, [unread])
    }
  }

  #rememberPage({ entry, client, list, page }: ClientRequest): void {
    const { limit, offset = '0' } = entry.query
    if (!page) return
    // An empty page ends at its own offset, to which it does not lead.
    if (page.rows.length > 0)
      this.#ends.set(`${client} ${list} ${Number(offset) + page.rows.length}`, true)
    if (entry.ignored.some(isLoweredLimit)) this.#lowered.set(`${client} ${list} ${limit}`, true)
  }

  #isComputed({ entry, client, list, address }: ClientRequest): boolean {
    const { limit, offset } = entry.query
    if (!(Number(offset) > 0) || this.#links.has(`${client} ${address}`)) return false
    if (this.#ends.has(`${client} ${list} ${offset}`)) return false
    const isOwn = limit !== undefined && Number(offset) % Number(limit) === 0
    return !isOwn || this.#lowered.has(`${client} ${list} ${limit}`)
  }

  #countRepetition(request: ClientRequest, report: ReportMistake): void {
    const { client, list, address, page } = request
    const key = `${client} ${list}`
    const known = this.#ways.get(key)
    const isNext = known?.writes === this.#writes && !(known.isEnded && page?.previous === null)
    const way = isNext
      ? known
      : { streaks: new RecentMap<Streak>(100), writes: this.#writes, isEnded: false }
    way.isEnded = page?.next === null
    this.#ways.set(key, way)
    const streak = way.streaks.get(address) ?? new Streak()
    way.streaks.set(address, streak)
    const requests = streak.add(request, repeated)
    if (requests.length === 0) return
    const message = 'The client requested the same page again and again.'
    report(repeatedPage, `${client} ${address}`, message, requests)
  }
}

function queryOf(address: string): string {
  return address.slice(address.indexOf('?'))
}

const cure =
  'Start again with the first page if `count` changes or an id comes twice, or request all rows as one page.'
const origin = documented('offset: initial index')

const repeatedRow: ClientRule = {
  id: 'repeated-row',
  sentence:
    'A list changed while a client read its pages, so that a row came twice. The client did not read these pages again.',
  cure,
  level: 'warning',
  ...origin,
}

const skippedRow: ClientRule = {
  id: 'skipped-row',
  sentence:
    'A list changed while a client read its pages, so that a row moved to a page that it had read before. The client did not read these pages again.',
  cure,
  level: 'warning',
  ...origin,
}

/** Finds rows that clients saw twice or never, because a list changed on their way from page to page. */
class WalkWatcher implements RequestWatcher {
  /** By client and the address of the page that comes next */
  readonly #walks = new RecentMap<Walk>(50)
  /** Walks with a mistake, by client and list. A later walk as far without a mistake corrects them */
  readonly #mistaken = new RecentMap<Walk>(1_000)

  add(request: ClientRequest): void {
    const { client, address, entry, page } = request
    if (entry.changes.length > 0) {
      for (const walk of this.#walks.values()) if (walk.client === client) walk.hasWritten = true
    }
    if (!page) return
    const walk =
      page.previous === null
        ? new Walk(client, request.list)
        : this.#walks.get(`${client} ${address}`)
    if (!walk) return
    this.#walks.delete(`${client} ${address}`)
    walk.add(request)
    if (page.next !== null) this.#walks.set(`${client} ${page.next}`, walk)
    walk.isEnded = page.next === null
    const list = `${client} ${walk.list}`
    const mistaken = this.#mistaken.get(list)
    if (walk.mistakes.size > 0) this.#mistaken.set(list, walk)
    else if (mistaken && (walk.isEnded || walk.pages >= mistaken.pages)) this.#mistaken.delete(list)
  }

  reportOpen(report: ReportMistake): void {
    for (const [list, { mistakes, requests, isEnded, hasWritten }] of this.#mistaken) {
      // A client that changes the list and looks at another page does not always read the list.
      if (hasWritten && !isEnded) continue
      for (const [rule, message] of mistakes) report(rule, list, message, requests)
    }
  }
}

/** Beyond these, ids are not compared and requests are not listed. */
const maxIds = 20_000
const maxRequests = 20

/** The way of a client through the pages of a list. */
class Walk {
  readonly client: string
  readonly list: string
  pages = 0
  isEnded = false
  /** Whether the client changed a row on its way */
  hasWritten = false
  readonly requests: RequestTrace[] = []
  readonly mistakes = new Map<ClientRule, string>()
  readonly #ids = new Set<unknown>()

  constructor(client: string, list: string) {
    this.client = client
    this.list = list
  }

  add({ page, entry, trace }: ClientRequest): void {
    const rows = page?.rows ?? []
    const repeated = rows.find(({ id }) => this.#ids.has(id))
    const { preceding_row: preceding } = entry
    const isComparable = this.pages > 0 && this.#ids.size < maxIds && preceding !== undefined
    if (repeated) this.mistakes.set(repeatedRow, `Row ${repeated.id} came on two pages.`)
    else if (isComparable && !this.#ids.has(preceding)) {
      const message = `Row ${preceding} moved to a page that the client had read before.`
      this.mistakes.set(skippedRow, message)
    }
    for (const { id } of rows) if (this.#ids.size < maxIds) this.#ids.add(id)
    this.pages += 1
    if (this.requests.length < maxRequests) this.requests.push(trace)
  }
}

export const listRules: RuleGroup = {
  rules: [pageArithmetic, repeatedPage, unreadPages, repeatedRow, skippedRow],
  watch: () => [new PageWatcher(), new WalkWatcher()],
}
