import { isLoweredLimit } from '../http/ignored-input.ts'
import {
  type Breach,
  type CheckedRule,
  type ClientRequest,
  type ClientRule,
  documented,
} from './rule.ts'

const pages = documented(
  'next: address of the next page; default and maximum values of limit: not shown',
)

const repeatedRow: ClientRule = {
  id: 'repeated-row',
  sentence:
    'A row came on two pages of a list. Rows changed meanwhile, or the client computed an offset. The client did not start again.',
  cure: 'Follow `next`, and start again with the first page if an id comes twice.',
  level: 'warning',
  ...pages,
}

const skippedRow: ClientRule = {
  id: 'skipped-row',
  sentence:
    'A client read two pages of a list and missed a row between them. Rows changed meanwhile, or the client computed an offset. The client did not start again.',
  cure: 'Follow `next`, and read the list again from its first page if it must be complete. An equal `count` does not prove that no row moved.',
  level: 'warning',
  ...pages,
}

const unreadPages: ClientRule = {
  id: 'unread-pages',
  sentence:
    'A client read the first page of a list without `limit` and `search`, and never the last page of it.',
  cure: 'Follow `next` until it is null, or pass the `limit` that you mean.',
  level: 'note',
  ...documented('list operations are paginated; default value of limit: not shown'),
}

/** What happens to a row of a list that is read in pages. */
type Fate = 'repeated' | 'skipped'

/** Finds rows that clients saw twice or never. */
function findRows(fate: Fate): CheckedRule['find'] {
  return (requests) =>
    [...findComputedOffsets(requests), ...findMovedRows(requests)]
      .filter((found) => found.fate === fate)
      .map(({ breach }) => breach)
}

interface FoundRow {
  readonly fate: Fate
  readonly breach: Breach
}

/**
 * Finds offsets to which no page leads that the client had read: neither a link, nor the number of rows that came, nor a
 * limit of its own that the API kept to. A client that changes rows may count them itself.
 */
function findComputedOffsets(requests: readonly ClientRequest[]): FoundRow[] {
  const found: FoundRow[] = []
  /** By client and list: the latest page that has a next one, and the ids since the first page */
  const latest = new Map<string, { readonly request: ClientRequest; readonly next: string }>()
  const shown = new Map<string, Set<unknown>>()
  /** Addresses that a page leads to, offsets behind its rows, and limits that the API lowered */
  const [links, ends, lowered] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (const request of requests) {
    const { entry, client, list, address, page } = request
    if (entry.changes.length > 0) {
      for (const [own, { request: read }] of latest) if (read.client === client) latest.delete(own)
    }
    if (!page) continue
    const { limit, offset = '0' } = entry.query
    const own = `${client} ${list}`
    const ids = (page.previous !== null && shown.get(own)) || new Set()
    const isRepeated = page.rows.some(({ id }) => ids.has(id))
    shown.set(own, new Set([...ids, ...page.rows.map(({ id }) => id)]))
    // An empty page ends at its own offset, to which it does not lead.
    const isLinked = links.has(`${client} ${address}`) || ends.has(`${own} ${offset}`)
    if (page.rows.length > 0) ends.add(`${own} ${Number(offset) + page.rows.length}`)
    if (entry.ignored.some(isLoweredLimit)) lowered.add(`${own} ${limit}`)
    const isOwn =
      limit !== undefined && Number(offset) % Number(limit) === 0 && !lowered.has(`${own} ${limit}`)
    const known = latest.get(own)
    const isAhead = known && Number(offset) > Number(/[?&]offset=(\d+)/.exec(known.next)?.[1])
    if (known && Number(offset) > 0 && !isLinked && !isOwn && (isAhead || isRepeated)) {
      const isLimitKnown = limit !== undefined && !lowered.has(`${own} ${limit}`)
      const reason = isLimitKnown
        ? '.'
        : ': the default limit and the largest one are not documented.'
      found.push({
        fate: isAhead ? 'skipped' : 'repeated',
        breach: {
          subject: own,
          message: `The client computed ${queryOf(address)}, and \`next\` was ${queryOf(known.next)}.`,
          cure: `Follow \`next\`${reason}`,
          requests: [known.request, request],
        },
      })
    }
    const { next, previous } = page
    for (const link of [next, previous]) if (link) links.add(`${client} ${link}`)
    if (next !== null) latest.set(own, { request, next })
  }
  return found
}

function queryOf(address: string): string {
  return address.slice(address.indexOf('?'))
}

/** The way of a client through the pages of a list. */
interface Walk {
  readonly client: string
  readonly list: string
  /** The request of the client before it */
  readonly before: ClientRequest | undefined
  readonly requests: ClientRequest[]
  readonly ids: Set<unknown>
  /** Whether the client changed a row on its way */
  hasWritten: boolean
  /** Messages by what happened to a row */
  readonly moved: Map<Fate, string>
}

const ownChangeCure =
  'Change rows after the last page, or start again with the first page: rows that are created, deleted or moved shift the pages.'

/** Finds rows that clients saw twice or never, because a list changed on their way from page to page. */
function findMovedRows(requests: readonly ClientRequest[]): FoundRow[] {
  /** By client and the address of the page that comes next */
  const walks = new Map<string, Walk>()
  /** The latest walk of each client and list with a row that moved */
  const mistaken = new Map<string, Walk>()
  /** The latest request of each client */
  const latest = new Map<string, ClientRequest>()
  for (const request of requests) {
    const { client, address, list, entry, page } = request
    const before = latest.get(client)
    if (entry.response.status < 400) latest.set(client, request)
    if (entry.changes.length > 0) {
      for (const walk of walks.values()) if (walk.client === client) walk.hasWritten = true
    }
    if (!page) continue
    const walk =
      page.previous === null ? startWalk(client, list, before) : walks.get(`${client} ${address}`)
    if (!walk) continue
    walks.delete(`${client} ${address}`)
    addPage(walk, request)
    if (page.next !== null) walks.set(`${client} ${page.next}`, walk)
    const own = `${client} ${walk.list}`
    const known = mistaken.get(own)
    if (walk.moved.size > 0) mistaken.set(own, walk)
    else if (known && isStartedAgain(known, walk)) mistaken.delete(own)
  }
  return [...mistaken].flatMap(([subject, walk]) => {
    const isEnded = walk.requests.at(-1)?.page?.next === null
    // A client that changes the list and looks at another page does not always read the list.
    if (walk.hasWritten && !isEnded) return []
    const cure = walk.hasWritten ? { cure: ownChangeCure } : {}
    return [...walk.moved].map(([fate, message]) => {
      return { fate, breach: { subject, message, requests: walk.requests, ...cure } }
    })
  })
}

/**
 * Whether a client began again at once, and came as far: then it noticed. One that reads the list in another way, or does
 * something else first, did not notice. A test may look at the rows in the end.
 */
function isStartedAgain(mistaken: Walk, { before, requests }: Walk): boolean {
  const isAsFar =
    requests.at(-1)?.page?.next === null || requests.length >= mistaken.requests.length
  const isSameStart = requests[0]?.address === mistaken.requests[0]?.address
  return isAsFar && isSameStart && before === mistaken.requests.at(-1)
}

function startWalk(client: string, list: string, before: ClientRequest | undefined): Walk {
  return { client, list, before, requests: [], ids: new Set(), hasWritten: false, moved: new Map() }
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
  { rule: repeatedRow, find: findRows('repeated') },
  { rule: skippedRow, find: findRows('skipped') },
  { rule: unreadPages, find: findUnreadPages },
]
