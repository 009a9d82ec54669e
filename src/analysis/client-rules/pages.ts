import type { ClientRequest, RequestTrace } from './client-request.ts'
import {
  type ClientRule,
  documented,
  RecentMap,
  type ReportMistake,
  type RequestWatcher,
  Streak,
} from './rule.ts'

const repeated = { times: 10, seconds: 10 }

export const repeatedPage: ClientRule = {
  id: 'repeated-page',
  sentence: `A client got the same page of a list ${repeated.times} times within ${repeated.seconds} seconds. No other page and no write came in between.`,
  cure: 'Follow the whole URL of `next`, its query included, until it is null.',
  level: 'warning',
  ...documented('next: address of the next page'),
}

export const pageArithmetic: ClientRule = {
  id: 'page-arithmetic',
  sentence:
    'A client computed an offset. No page that it had read has a link with these parameters.',
  cure: 'Follow `next`. The default limit and the largest limit are not documented.',
  level: 'warning',
  ...documented('next: address of the next page; default and maximum values of limit: not shown'),
}

export const unreadPages: ClientRule = {
  id: 'unread-pages',
  sentence:
    'A client read the first page of a list without `limit` and `search`, and never a further page of it.',
  cure: 'Follow `next` until it is null, or pass the `limit` that you mean.',
  level: 'note',
  ...documented('list operations are paginated; default value of limit: not shown'),
}

/** What a client knows of a list. */
interface KnownList {
  /** The latest page with a link to a next page */
  readonly page: RequestTrace
  readonly next: string
  /** Whether it read another page than the first one, or all rows */
  readonly isRead: boolean
  /** The request for the first page, if it should have been followed by others */
  readonly unread: RequestTrace | null
}

/** Finds lists that are not read page by page. */
export class PageWatcher implements RequestWatcher {
  readonly #lists = new RecentMap<KnownList>(1_000)
  readonly #links = new RecentMap<true>(10_000)
  readonly #repeated = new RecentMap<{ readonly page: string; readonly streak: Streak }>(1_000)
  #writes = 0

  add(request: ClientRequest, report: ReportMistake): void {
    const { entry, client, path, address, page, trace } = request
    if (entry.changes.length > 0) this.#writes += 1
    if (!page) return
    const list = `${client} ${path}`
    this.#countRepetition(list, request, report)
    const known = this.#lists.get(list)
    const isComputed = Number(entry.query.offset) > 0 && !this.#links.has(`${client} ${address}`)
    if (known && isComputed) {
      const message = `The client computed ${queryOf(address)}, and \`next\` was ${queryOf(known.next)}.`
      report(pageArithmetic, list, message, [known.page, trace])
    }
    const { next, previous } = page
    for (const link of [next, previous]) if (link) this.#links.set(`${client} ${link}`, true)
    const isLimited = 'limit' in entry.query || 'search' in entry.query
    const isAll = next === null && !('search' in entry.query)
    const isRead = known?.isRead || previous !== null || isAll
    if (next !== null) {
      const unread = known?.unread ?? (isLimited ? null : trace)
      this.#lists.set(list, { page: trace, next, isRead, unread })
    } else if (known) this.#lists.set(list, { ...known, isRead })
  }

  reportOpen(report: ReportMistake): void {
    for (const [list, { unread, isRead }] of this.#lists) {
      if (!unread || isRead) continue
      const message = 'The list has more rows than this page, and the client read no other page.'
      report(unreadPages, list, message, [unread])
    }
  }

  #countRepetition(list: string, request: ClientRequest, report: ReportMistake): void {
    const { address, entry } = request
    const page = `${address} ${entry.response.bytes} ${this.#writes}`
    let last = this.#repeated.get(list)
    if (last?.page !== page) last = { page, streak: new Streak() }
    this.#repeated.set(list, last)
    const requests = last.streak.add(request, repeated)
    if (requests.length === 0) return
    report(
      repeatedPage,
      list + address,
      'The client requested the same page again and again.',
      requests,
    )
  }
}

function queryOf(address: string): string {
  return address.slice(address.indexOf('?'))
}
