import { LatestMap } from '../utils/latest-map.ts'
import type { ClientRequest, ListPage } from './client-request.ts'
import { largeLimit, unreadPages } from './page-rules.ts'
import type { Breach, Watch } from './rule.ts'

/** The pages of a list that a client read, without those of searches. */
interface ReadList {
  /** The first page that should have been followed by the last one */
  first: ClientRequest | null
  /** A first page with a large limit that should have been followed by another one */
  limited: ClientRequest | null
  hasLater: boolean
  hasLast: boolean
  /** Its only page was the last one that the client read. */
  isSingle: boolean
}

const unread: ReadList = {
  ...{ first: null, limited: null, hasLater: false, hasLast: false, isSingle: false },
}

export class UnreadPages implements Watch {
  /** By client and path */
  readonly #lists = new LatestMap<string, ReadList>()

  see(request: ClientRequest): void {
    const { client, page, isUnread } = request
    if ((!page && !isUnread) || request.query.has('search')) return
    const name = `${client} ${request.path}`
    const list = this.#lists.get(name) ?? { ...unread }
    this.#lists.set(name, list)
    if (page) addPage(list, request, page)
    else Object.assign(list, { hasLast: true, hasLater: true })
  }

  breaches(): readonly Breach[] {
    return [...this.#lists].flatMap(([subject, { first, limited, hasLater, hasLast }]) => {
      const last =
        first && !hasLast
          ? { request: first, unread: 'the last page' }
          : limited && !hasLater && !hasLast
            ? { request: limited, unread: 'a later one' }
            : null
      if (!last) return []
      const message = `The list has more rows than this page, and the client has not read ${last.unread}.`
      return [{ rule: unreadPages, subject, message, requests: [last.request] }]
    })
  }
}

function addPage(list: ReadList, request: ClientRequest, { next, previous }: ListPage): void {
  const limit = request.query.get('limit')
  // A list of one page that has grown is another list. One that was read in pages may be polled.
  if (list.isSingle && next !== null) Object.assign(list, unread)
  list.isSingle = previous === null && next === null
  if (previous !== null) list.hasLater = true
  if (next === null) list.hasLast = true
  if (previous !== null || next === null) return
  if (limit === undefined) list.first ??= request
  else if (!request.query.has('offset') && Number(limit) >= largeLimit) list.limited ??= request
}
