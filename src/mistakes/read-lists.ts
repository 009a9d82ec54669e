import { LatestMap } from '../utils/latest-map.ts'
import { type ClientRequest, isOverlapping } from './client-request.ts'
import {
  type Breach,
  type ClientRule,
  inDocument,
  type RowName,
  Watch,
  type WatchedRules,
} from './rule.ts'
import { Address, type ListPage } from './seen-request.ts'

const paged = inDocument(
  'next: address of the next page; default and maximum values of limit: not shown',
)

const repeatedRow: ClientRule = {
  id: 'repeated-row',
  title: 'A row came on two pages',
  sentence:
    'A row came on two pages of a list: rows changed and the client did not start again, or it computed an offset. It is a note; if the client changed rows itself, a warning once it has read to the end.',
  cure: 'Start again with the first page if an id comes twice.',
  level: 'warning',
  ...paged,
}

const skippedRow: ClientRule = {
  id: 'skipped-row',
  title: 'The client missed a row between two pages',
  sentence:
    'A client missed a row between pages and did not start again: rows changed, it computed an offset or left out `search`. It is a note if it skipped a failed page, or changed rows and left pages unread.',
  cure: 'Read the list again from its first page if it must be complete. An equal `count` does not prove that no row moved.',
  level: 'warning',
  ...paged,
}

/** A client that asks for so many rows may take them for all. */
const largeLimit = 50

const unreadPages: ClientRule = {
  id: 'unread-pages',
  title: 'The client read only a part of a list',
  sentence: `A client read a first page without \`limit\` and \`search\`, and never the last one, or with one \`limit\` of ${largeLimit} or more, and no later one. Or it deleted all rows of a page, and looked for no others.`,
  cure: 'Follow `next` until it is null, or pass the `limit` that you mean.',
  level: 'note',
  ...inDocument('list operations are paginated; default value of limit: not shown'),
}

/** The way of a client from the first page of a list along `next`. */
interface Walk {
  /** The request of the client before it, and before other looks at a first page or a row */
  readonly before: ClientRequest | undefined
  /** The first ones, for the report */
  readonly requests: ClientRequest[]
  last: ClientRequest
  /** The rows of all its pages. None as long as there is one */
  ids?: Set<unknown>
  /** Whether the client changed a row of the list on its way */
  hasWritten: boolean
  repeated?: unknown
  skipped?: unknown
}

/** A page that failed, and a later one that the client went on with. */
interface FailedPage {
  readonly request: ClientRequest
  readonly offset: number
  later?: ClientRequest
}

/** What a client read of a list from its start. */
interface ListStart {
  /** Whether it read the last page, or knows that it has not, because a page failed */
  isRead: boolean
  /** Whether it read a later page than the first one */
  hasLater: boolean
  /** The first page without a limit, and with a large one */
  whole?: ClientRequest
  limited?: ClientRequest
  /** The limit of a first page, but for one row, and whether there were others */
  size?: string
  isChosen: boolean
}

const unread = (): ListStart => ({ isRead: false, hasLater: false, isChosen: false })

/** What a client read of a list. Most of its requests are not kept: a page that polls sends thousands. */
class ReadList {
  readonly client: string
  readonly path: string
  /** Those that were not read again */
  failed: FailedPage[] = []
  start = unread()
  /** The latest walk with a row that moved */
  moved: Walk | null = null
  /** The latest page, and the latest one that has a next one */
  page: ClientRequest | undefined
  latest: ClientRequest | undefined
  /** The offsets to which they lead by the number of their rows */
  readonly ends = new Set<number>()
  lastStep = 0
  /** The least limit to which the API did not keep */
  lowered = Number.POSITIVE_INFINITY
  /** Where the latest link that was followed leads. A list that is read again has the same */
  #linked = new Address('')
  /** Whether the latest request got the only page */
  #isSingle = false

  constructor({ client, path }: ClientRequest) {
    this.client = client
    this.path = path
  }

  /** @param request one that got a page, or failed, or whose page the journal did not keep */
  add(request: ClientRequest): void {
    const { page, query, record } = request
    if (record.ignored.some(({ why }) => why === 'lowered'))
      this.lowered = Math.min(this.lowered, Number(query.get('limit')))
    if (this.failed.length > 0) this.#goOn(request)
    if (hasFailed(request)) this.failed.push({ request, offset: request.offset })
    if (!query.has('search')) this.#addToStart(request)
    if (page) this.#addPage(page, request)
  }

  #goOn(request: ClientRequest) {
    const [offset, isFirst] = [request.offset, request.page?.previous === null]
    this.failed = this.failed.filter((page) => !isFirst && page.offset !== offset)
    for (const page of request.page ? this.failed : [])
      if (offset > page.offset && !isOverlapping(page.request, request)) page.later ??= request
  }

  #addToStart(request: ClientRequest) {
    const { page, isUnread, query } = request
    // A list of one page that has grown is another list. One that was read in pages may be polled.
    if (page && page.next !== null && this.#isSingle) this.start = unread()
    this.#isSingle = page?.previous === null && page.next === null
    const { start } = this
    start.isRead ||= page ? page.next === null : isUnread || query.has('offset')
    start.hasLater ||= page !== null && page.previous !== null
    if (page?.previous !== null) return
    const limit = query.get('limit')
    if (limit === undefined) start.whole ??= request
    else if (Number(limit) > 1) {
      start.size ??= limit
      start.isChosen ||= limit !== start.size
    }
    if (!query.has('offset') && Number(limit) >= largeLimit) start.limited ??= request
  }

  #addPage(page: ListPage, request: ClientRequest) {
    const { rows, next } = page
    this.lastStep = request.offset - (this.page?.offset ?? 0)
    this.page = request
    if (next !== null) this.latest = request
    // An empty page ends at its own offset.
    if (rows.length > 0) this.ends.add(request.offset + rows.length)
  }

  follow(link: string): Address {
    if (link !== this.#linked.target) this.#linked = new Address(link)
    return this.#linked
  }

  /** Whether a page overlaps with one of the latest ones: the first row of one of them is on the other. */
  isOver(page: ListPage): boolean {
    const isOn = ({ rows: [first] }: ListPage, { rows }: ListPage) =>
      first !== undefined && rows.some(({ id }) => id === first.id)
    const pages = [this.page, this.latest].flatMap((read) => read?.page ?? [])
    return pages.some((read) => isOn(page, read) || isOn(read, page))
  }
}

/**
 * Finds what clients miss of a list, or read twice: rows that move while they follow `next`; offsets to which no page leads;
 * pages that failed and were never read; and lists of which only the start was read.
 */
class ReadLists extends Watch {
  /** By client, path and search */
  readonly #lists = new LatestMap<string, ReadList>()
  /** By client and the address of the page that comes next */
  readonly #walks = new LatestMap<string, Walk>(100)
  /** By client: the latest request that changed rows. Such a client may count them itself */
  readonly #writes = new LatestMap<string, ClientRequest>(100)
  /** By client: the latest request that was not refused, but for looks at a first page or a row */
  readonly #before = new LatestMap<string, ClientRequest>(100)
  /** By client, list and row: the latest deletion */
  readonly #deleted = new LatestMap<string, ClientRequest>()

  see(request: ClientRequest): void {
    const { client, page, isUnread } = request
    const before = this.#before.get(client)
    const isLook = page?.previous === null || request.verb === 'retrieve'
    if (!isLook && request.status < 400) this.#before.set(client, request)
    if (request.changes.length > 0) this.#write(request)
    if (!page && !(request.verb === 'list' && (isUnread || hasFailed(request)))) return
    const name = nameOf(request)
    const list = this.#lists.get(name) ?? new ReadList(request)
    this.#lists.set(name, list)
    if (isUnread) this.#walks.delete(`${client} ${request.address}`)
    if (page) this.#walk(list, request, page, before)
    if (page) this.#compare(list, request, page)
    list.add(request)
  }

  override breaches(): readonly Breach[] {
    const lists = [...this.#lists.values()]
    const moved = lists.flatMap((list) => (list.moved ? describeMoved(list.moved) : []))
    const emptied = lists.flatMap((list) => this.#describeEmptied(list, lists))
    const failed = lists.flatMap((list) => describeFailures(list, this.#writes.get(list.client)))
    return [...moved, ...super.breaches(), ...failed, ...lists.flatMap(describeStart), ...emptied]
  }

  /** A page, not the last one, of which the client deleted all rows, and has not read the list since. */
  #describeEmptied({ client, path, page: read }: ReadList, lists: readonly ReadList[]): Breach[] {
    const { next = null, rows = [] } = read?.page ?? {}
    if (!read || next === null || rows.length < 2) return []
    const isLater = (request?: ClientRequest) => Number(request?.record.id) > read.record.id
    const isOwn = (list: ReadList) => list.client === client && list.path === path
    const deletions = rows.map(({ id }) => this.#deleted.get(`${client} ${read.list} ${id}`))
    const hasLooked = lists.some((list) => isOwn(list) && isLater(list.page))
    if (hasLooked || !deletions.every(isLater)) return []
    const message = `The client deleted all ${rows.length} rows of a page, and looked for no others.`
    const cure = 'Read the page again until it has no rows, or all pages before you delete.'
    return [{ rule: unreadPages, subject: nameOf(read), message, cure, requests: [read] }]
  }

  #write(request: ClientRequest) {
    const { client, changes, path } = request
    this.#writes.set(client, request)
    for (const { list, id, isDeleted } of changes)
      if (isDeleted) this.#deleted.set(`${client} ${list} ${id}`, request)
    for (const walk of this.#walks.values())
      if (walk.last.client === client && path.startsWith(walk.last.path)) walk.hasWritten = true
  }

  #walk(list: ReadList, request: ClientRequest, page: ListPage, before?: ClientRequest) {
    if (list.moved && isReadAfterAll(list.moved, page, this.history.before)) list.moved = null
    const name = `${request.client} ${request.address}`
    const known = page.previous === null ? null : this.#walks.get(name)
    if (known === undefined) return
    this.#walks.delete(name)
    const walk = known ?? { before, requests: [request], last: request, hasWritten: false }
    if (known) addPage(known, request, page)
    if (page.next !== null)
      this.#walks.set(`${request.client} ${list.follow(page.next).whole}`, walk)
    if (walk.repeated !== undefined || walk.skipped !== undefined) list.moved = walk
    else if (list.moved && isStartedAgain(list.moved, walk)) list.moved = null
  }

  #compare(list: ReadList, request: ClientRequest, page: ListPage) {
    if (!list.page) this.#compareSearch(request)
    const latest = this.#latestOf(list)
    const { offset } = request
    if (!latest || offset === 0 || list.ends.has(offset)) return
    const limit = request.query.get('limit')
    const isLimitKnown = limit !== undefined && Number(limit) < list.lowered
    // Who turns pages asks for none beyond the end.
    const isTurned = page.rows.length > 0 || offset - Number(list.page?.offset) !== list.lastStep
    if (isLimitKnown && offset % Number(limit) === 0 && isTurned) return
    // A test that asks for a page far beyond the end sends no limit.
    const isBeyond = page.rows.length === 0 && request.record.response.page?.before === undefined
    if (limit === undefined && isBeyond) return
    const { rows = [], next } = latest.page ?? {}
    const isAhead = offset > latest.offset + rows.length
    // A client that goes back reads rows again on purpose.
    const isBack = offset < (list.page?.offset ?? 0)
    if (!isAhead && (isBack || !list.isOver(page))) return
    if (this.history.isFollowed(request)) return
    this.report({
      // A list that scrolls by index asks for what it shows.
      ...(isAhead ? { rule: skippedRow } : { rule: repeatedRow, level: 'note' }),
      subject: nameOf(request),
      get message() {
        const led = new Address(next ?? '')
        return `The client computed ${new Address(request.address).position}, and \`next\` was ${led.position}.`
      },
      cure: 'Follow `next` instead.',
      requests: [latest, request],
    })
  }

  /** Finds a page that goes on from one of another search, which the client has not begun. */
  #compareSearch(request: ClientRequest) {
    const { client, path, query } = request
    if (!query.has('offset')) return
    const latest = [...this.#lists.values()]
      .filter((list) => list.client === client && list.path === path)
      .map((list) => this.#latestOf(list))
      .find(
        (read) =>
          read && new Address(read.page?.next ?? '').query.get('offset') === query.get('offset'),
      )
    if (!latest) return
    this.report({
      rule: skippedRow,
      message: `The client asked for ${new Address(request.address).position}, and its \`search\` is not that of \`next\` of the page before.`,
      cure: 'Follow `next`, which has the parameters of the first page.',
      requests: [latest, request],
    })
  }

  /** The latest page that has a next one, unless the client has changed rows since. */
  #latestOf({ client, latest }: ReadList): ClientRequest | undefined {
    const write = this.#writes.get(client)
    return latest && write && write.record.id > latest.record.id ? undefined : latest
  }
}

export const readListRules: WatchedRules = {
  Watch: ReadLists,
  rules: [repeatedRow, skippedRow, unreadPages],
}

function nameOf({ client, listAddress }: ClientRequest) {
  return `${client} ${listAddress}`
}

export function hasFailed({ status, isLost }: ClientRequest): boolean {
  return isLost || status === 429 || status >= 500
}

/** Pages that failed, though the client went on with a later one, or wrote rows of the list as if it knew them all. */
function describeFailures({ failed, path }: ReadList, write: ClientRequest | undefined): Breach[] {
  return failed.flatMap(({ request, offset, later }): Breach[] => {
    const isNext = write && write.record.id > request.record.id && !isOverlapping(request, write)
    const wrote = offset > 0 && isNext && write.path.startsWith(path) ? write : undefined
    const next = later ?? wrote
    if (!next) return []
    const got = request.isLost ? 'got no complete response' : `got a ${request.status}`
    const went = later ? 'read a later one' : 'wrote rows'
    const message = `The page ${new Address(request.address).position} ${got}, and the client ${went}, and has not read this one so far.`
    const cure = 'Repeat a page that failed before you go on, or show that rows are missing.'
    return [{ rule: skippedRow, level: 'note', message, cure, requests: [request, next] }]
  })
}

/** A list of which only the first page was read. */
function describeStart({ client, path, start }: ReadList): Breach[] {
  // A client that asks for more or fewer rows lets a user choose how many.
  const { isRead, hasLater, whole, limited, isChosen } = start
  const first = whole ?? (isChosen || hasLater ? undefined : limited)
  if (isRead || !first) return []
  const message = `The list has more rows than this page, and the client has not read ${whole ? 'the last page' : 'a later one'}.`
  return [{ rule: unreadPages, subject: `${client} ${path}`, message, requests: [first] }]
}

function addPage(walk: Walk, request: ClientRequest, { rows }: ListPage) {
  const preceding = request.record.response.page?.before
  walk.ids ??= new Set(walk.last.page?.rows.map(({ id }) => id))
  const { ids, requests } = walk
  const repeated = rows.find(({ id }) => ids.has(id))
  if (repeated) walk.repeated = repeated.id
  else if (preceding !== undefined && !ids.has(preceding)) walk.skipped = preceding
  for (const { id } of rows) ids.add(id)
  requests.push(request)
  walk.last = request
}

/** Whether a client went back at once for a row that it had missed. */
function isReadAfterAll(
  { repeated, skipped, last }: Walk,
  { rows }: ListPage,
  before: ClientRequest | undefined,
) {
  return repeated === undefined && before === last && rows.some(({ id }) => id === skipped)
}

/** Whether a client noticed: it began again at once, and came as far, with pages of any size. */
function isStartedAgain(moved: Walk, walk: Walk) {
  const isAsFar = walk.last.page?.next === null || countRows(walk) >= countRows(moved)
  return isAsFar && walk.before === moved.last
}

function countRows({ ids, last }: Walk) {
  return ids?.size ?? last.page?.rows.length ?? 0
}

const ownChangeCure =
  'Change rows after the last page, or start again with the first page: rows that are created, deleted or moved shift the pages.'

function describeMoved(walk: Walk) {
  const { requests, repeated, skipped, hasWritten, last } = walk
  // A client that changes the list and looks at another page does not always read the list.
  const isUnsure = hasWritten && last.page?.next !== null
  const shared = { subject: nameOf(last), requests, ...(hasWritten && { cure: ownChangeCure }) }
  const rowsOf = (id: unknown) => [{ list: last.list ?? '', id: id as RowName['id'] }]
  const breaches: Breach[] = []
  if (repeated !== undefined && !isUnsure) {
    // One that follows `next` may leave out rows that it has.
    const level = !hasWritten && { level: 'note' as const }
    const message = `Row ${repeated} came on two pages.`
    breaches.push({ ...shared, ...level, rule: repeatedRow, message, rows: rowsOf(repeated) })
  }
  if (skipped !== undefined) {
    const level = isUnsure && { level: 'note' as const }
    const message = `The client missed at least row ${skipped}, which moved to a page that it had read before.`
    breaches.push({ ...shared, ...level, rule: skippedRow, message, rows: rowsOf(skipped) })
  }
  return breaches
}
