import type { ClientRequest, RequestTrace } from './client-request.ts'
import {
  type ClientRule,
  documented,
  RecentMap,
  type ReportMistake,
  type RequestWatcher,
} from './rule.ts'

const cure =
  'Start again with the first page if `count` changes or an id comes twice, or request all rows as one page.'
const origin = documented('offset: initial index')

export const repeatedRow: ClientRule = {
  id: 'repeated-row',
  sentence:
    'A list changed while a client read its pages, so that a row came twice. The client did not read the list again.',
  cure,
  level: 'warning',
  ...origin,
}

export const skippedRow: ClientRule = {
  id: 'skipped-row',
  sentence:
    'A list became shorter while a client read its pages, so that rows moved to pages that it had read before. The client did not read the list again.',
  cure,
  level: 'warning',
  ...origin,
}

/** Finds rows that clients saw twice or never, because a list changed on their way from page to page. */
export class WalkWatcher implements RequestWatcher {
  /** By client and the address of the page that comes next */
  readonly #walks = new RecentMap<Walk>(50)
  /** Walks with a mistake to the last page, by client and list. A later walk without a mistake corrects them */
  readonly #ended = new RecentMap<Walk>(1_000)

  add({ client, address, page, trace }: ClientRequest): void {
    if (!page) return
    const walk =
      page.previous === null
        ? new Walk(`${client} ${withoutPosition(address)}`, page.count)
        : this.#walks.get(`${client} ${address}`)
    if (!walk) return
    this.#walks.delete(`${client} ${address}`)
    walk.add(page, trace)
    if (page.next !== null) this.#walks.set(`${client} ${page.next}`, walk)
    else if (walk.mistakes.size > 0) this.#ended.set(walk.list, walk)
    else this.#ended.delete(walk.list)
  }

  reportOpen(report: ReportMistake): void {
    for (const { list, mistakes, requests } of this.#ended.values()) {
      for (const [rule, message] of mistakes) report(rule, list, message, requests)
    }
  }
}

/** Beyond these, ids are not compared and requests are not listed. */
const maxIds = 20_000
const maxRequests = 20

/** The way of a client through the pages of a list. */
class Walk {
  readonly list: string
  readonly requests: RequestTrace[] = []
  readonly mistakes = new Map<ClientRule, string>()
  readonly #ids = new Set<unknown>()
  #count: number

  constructor(list: string, count: number) {
    this.list = list
    this.#count = count
  }

  add({ rows, count }: NonNullable<ClientRequest['page']>, trace: RequestTrace): void {
    for (const { id } of rows) {
      if (this.#ids.has(id)) this.mistakes.set(repeatedRow, `Row ${id} came on two pages.`)
      else if (this.#ids.size < maxIds) this.#ids.add(id)
    }
    if (count < this.#count) {
      const rowsAre = `from ${this.#count} to ${count} rows`
      this.mistakes.set(skippedRow, `The list became shorter between two pages, ${rowsAre}.`)
    }
    this.#count = count
    if (this.requests.length < maxRequests) this.requests.push(trace)
  }
}

/** The address of a list, whatever the page. */
function withoutPosition(address: string): string {
  const [path, search] = address.split('?')
  const query = new URLSearchParams(search)
  query.delete('limit')
  query.delete('offset')
  return `${path}?${query}`
}
