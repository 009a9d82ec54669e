import { isLoweredLimit } from '../../sandbox/journal/ignored-input.ts'
import {
  type Breach,
  type CheckedRule,
  type ClientRequest,
  type ClientRule,
  documented,
} from './rule.ts'

const pageArithmetic: ClientRule = {
  id: 'page-arithmetic',
  sentence:
    'A client computed an offset that no page which it had read leads to: neither a link, nor the number of rows that came, nor a `limit` of its own that the API kept to. Or a list changed while a client read its pages, so that a row came twice, or moved to a page that it had read before, and the client did not read these pages again.',
  cure: 'Follow `next`, and start again with the first page if `count` changes or an id comes twice. The default limit and the largest limit are not documented.',
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

function findPageArithmetic(requests: readonly ClientRequest[]): Breach[] {
  return [...findComputedOffsets(requests), ...findMovedRows(requests)]
}

function findComputedOffsets(requests: readonly ClientRequest[]): Breach[] {
  const breaches: Breach[] = []
  /** The latest page of each list that has a next one */
  const latest = new Map<string, { readonly request: ClientRequest; readonly next: string }>()
  /** Addresses that a page leads to, offsets behind its rows, and limits that the API lowered */
  const [links, ends, lowered] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (const request of requests) {
    const { entry, client, path, list, address, page } = request
    if (!page) continue
    const { limit, offset = '0' } = entry.query
    const own = `${client} ${list}`
    // An empty page ends at its own offset, to which it does not lead.
    const isLinked = links.has(`${client} ${address}`) || ends.has(`${own} ${offset}`)
    if (page.rows.length > 0) ends.add(`${own} ${Number(offset) + page.rows.length}`)
    if (entry.ignored.some(isLoweredLimit)) lowered.add(`${own} ${limit}`)
    const isOwn =
      limit !== undefined && Number(offset) % Number(limit) === 0 && !lowered.has(`${own} ${limit}`)
    const known = latest.get(`${client} ${path}`)
    if (known && Number(offset) > 0 && !isLinked && !isOwn) {
      const message = `The client computed ${queryOf(address)}, and \`next\` was ${queryOf(known.next)}.`
      breaches.push({
        subject: `${client} ${path}`,
        message,
        requests: [known.request, request],
      })
    }
    const { next, previous } = page
    for (const link of [next, previous]) if (link) links.add(`${client} ${link}`)
    if (next !== null) latest.set(`${client} ${path}`, { request, next })
  }
  return breaches
}

function queryOf(address: string): string {
  return address.slice(address.indexOf('?'))
}

/** The way of a client through the pages of a list. */
interface Walk {
  readonly client: string
  readonly list: string
  readonly requests: ClientRequest[]
  readonly ids: Set<unknown>
  /** Whether the client changed a row on its way */
  hasWritten: boolean
  /** Messages by what happened to a row */
  readonly moved: Map<'repeated' | 'skipped', string>
}

/** Finds rows that clients saw twice or never, because a list changed on their way from page to page. */
function findMovedRows(requests: readonly ClientRequest[]): Breach[] {
  /** By client and the address of the page that comes next */
  const walks = new Map<string, Walk>()
  /** By client and list. A later walk as far without a moved row corrects the mistake */
  const mistaken = new Map<string, Walk>()
  for (const request of requests) {
    const { client, address, list, entry, page } = request
    if (entry.changes.length > 0) {
      for (const walk of walks.values()) if (walk.client === client) walk.hasWritten = true
    }
    if (!page) continue
    const own = `${client} ${address}`
    const walk = page.previous === null ? startWalk(client, list) : walks.get(own)
    if (!walk) continue
    walks.delete(own)
    addPage(walk, request)
    if (page.next !== null) walks.set(`${client} ${page.next}`, walk)
    const known = mistaken.get(`${client} ${walk.list}`)
    const isAsFar = page.next === null || walk.requests.length >= (known?.requests.length ?? 0)
    if (walk.moved.size > 0) mistaken.set(`${client} ${walk.list}`, walk)
    else if (isAsFar) mistaken.delete(`${client} ${walk.list}`)
  }
  return [...mistaken].flatMap(([subject, walk]) => {
    const isEnded = walk.requests.at(-1)?.page?.next === null
    // A client that changes the list and looks at another page does not always read the list.
    if (walk.hasWritten && !isEnded) return []
    return [...walk.moved].map(([how, message]) => ({
      subject: `${how} ${subject}`,
      message,
      requests: walk.requests,
    }))
  })
}

function startWalk(client: string, list: string): Walk {
  return {
    client,
    list,
    requests: [],
    ids: new Set(),
    hasWritten: false,
    moved: new Map(),
  }
}

function addPage({ requests, ids, moved }: Walk, request: ClientRequest): void {
  const rows = request.page?.rows ?? []
  const { preceding_row: preceding } = request.entry
  const repeated = rows.find(({ id }) => ids.has(id))
  if (repeated) moved.set('repeated', `Row ${repeated.id} came on two pages.`)
  else if (requests.length > 0 && preceding !== undefined && !ids.has(preceding))
    moved.set('skipped', `Row ${preceding} moved to a page that the client had read before.`)
  for (const { id } of rows) ids.add(id)
  requests.push(request)
}

function findUnreadPages(requests: readonly ClientRequest[]): Breach[] {
  /** By client and list: the first page that should have been followed by others */
  const unread = new Map<string, ClientRequest>()
  const read = new Set<string>()
  for (const request of requests) {
    const { entry, client, path, page } = request
    if (!page) continue
    const list = `${client} ${path}`
    const isSearch = 'search' in entry.query
    if (page.next === null) {
      if (!isSearch) read.add(list)
    } else if (!isSearch && !('limit' in entry.query) && page.previous === null) {
      if (!unread.has(list)) unread.set(list, request)
    }
  }
  const message =
    'The list has more rows than this page, and the client did not read the last page.'
  return [...unread]
    .filter(([list]) => !read.has(list))
    .map(([subject, request]) => ({ subject, message, requests: [request] }))
}

export const listRules: readonly CheckedRule[] = [
  { rule: pageArithmetic, find: findPageArithmetic },
  { rule: unreadPages, find: findUnreadPages },
]
