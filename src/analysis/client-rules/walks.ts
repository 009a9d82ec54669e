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
    'A list changed while a client read its pages, so that a row came twice. The client did not read these pages again.',
  cure,
  level: 'warning',
  ...origin,
}

export const skippedRow: ClientRule = {
  id: 'skipped-row',
  sentence:
    'A list changed while a client read its pages, so that a row moved to a page that it had read before. The client did not read these pages again.',
  cure,
  level: 'warning',
  ...origin,
}

/** Finds rows that clients saw twice or never, because a list changed on their way from page to page. */
export class WalkWatcher implements RequestWatcher {
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
