import { LatestMap } from '../utils/latest-map.ts'
import { parseQuery, writeQuery } from '../utils/query.ts'
import { type ClientRequest, isOverlapping, type ListPage } from './client-request.ts'
import { pagesBeyondEnd, repeatedRow, skippedRow } from './page-rules.ts'
import type { Breach, Watch } from './rule.ts'

/**
 * Finds offsets to which no page leads that the client had read: neither a link, nor the number of rows that came, nor a
 * limit of its own that the API kept to. A client that changes rows may count them itself. Finds also pages that failed and
 * were never read, and empty ones after the last.
 */
export class ComputedOffsets implements Watch {
  readonly #found: Breach[] = []
  /** By client and list */
  readonly #lists = new LatestMap<string, ReadPages>(100)
  /** By client and path, whatever the search: the latest page that has a next one */
  readonly #latest = new LatestMap<string, ClientRequest>(100)

  see(request: ClientRequest): void {
    const { client, page } = request
    if (request.changes.length > 0) {
      for (const list of this.#lists.values()) if (list.client === client) list.latest = null
    }
    if (page) this.#add(request, page)
    else if (request.verb === 'list' && hasFailed(request)) {
      this.#lists
        .get(`${client} ${request.listAddress}`)
        ?.failed.set(request.query.get('offset') ?? '0', { request, later: null })
    }
  }

  breaches(): readonly Breach[] {
    const lists = [...this.#lists.values()]
    return [...this.#found, ...lists.flatMap(describeUnreadFailures), ...lists.flatMap(describeEnd)]
  }

  #add(request: ClientRequest, page: ListPage): void {
    const { client, listAddress, query } = request
    const name = `${client} ${listAddress}`
    const list = this.#lists.get(name) ?? startList(client)
    this.#lists.set(name, list)
    const [limit, offset] = [query.get('limit'), Number(query.get('offset') ?? 0)]
    if (request.record.ignored.some(({ why }) => why === 'lowered')) list.lowered.add(limit)
    const { latest } = list
    if (page.previous === null) list.failed.clear()
    else list.failed.delete(String(offset))
    goOn(list, request, offset)
    const isLimitKnown = limit !== undefined && !list.lowered.has(limit)
    const isOwn = isLimitKnown && offset % Number(limit) === 0 && !isOtherSize(list, request)
    if (page.rows.length === 0 && list.end && !isOverlapping(list.end, request))
      list.beyond.set(request.address, request)
    if (page.next === null && page.rows.length > 0) list.end = request
    this.#compareSearch(request, list)
    if (latest && offset > 0 && !isOwn && !isLinked(list, request, offset)) {
      const { next } = latest.page as ListPage
      const isAhead = offset > Number(/[?&]offset=(\d+)/.exec(next ?? '')?.[1])
      // A client that goes back reads rows again on purpose.
      const isBack = offset < (list.pages.at(-1)?.offset ?? 0)
      if (isAhead || (!isBack && isRepeated(list, page))) {
        const reason = isLimitKnown
          ? '.'
          : ': the default limit and the largest one are not documented.'
        this.#report({
          rule: isAhead ? skippedRow : repeatedRow,
          subject: name,
          message: `The client computed ${positionIn(request.address)}, and \`next\` was ${positionIn(next ?? '')}.`,
          cure: `Follow \`next\`${reason}`,
          requests: [latest, request],
        })
      }
    }
    list.pages.push({ ...page, offset })
    if (list.pages.length > maxPages) list.pages.shift()
    if (page.next === null) return
    list.latest = request
    this.#latest.set(`${client} ${request.path}`, request)
  }

  /** Finds a page that goes on from one of another search, which the client has not begun. */
  #compareSearch(request: ClientRequest, { pages }: ReadPages): void {
    const { client, query, path, address } = request
    const latest = this.#latest.get(`${client} ${path}`)
    const next = latest?.page?.next
    if (!latest || !next || pages.length > 0) return
    const linked = new URLSearchParams(next.slice(next.indexOf('?')))
    if (linked.get('offset') !== query.get('offset')) return
    if ((linked.get('search') ?? '') === (query.get('search') ?? '')) return
    this.#report({
      rule: skippedRow,
      message: `The client asked for ${positionIn(address)} with another \`search\` than the page before, whose \`next\` keeps it.`,
      cure: 'Follow `next`, which has the parameters of the first page.',
      requests: [latest, request],
    })
  }

  #report(breach: Breach): void {
    this.#found.push(breach)
    if (this.#found.length > maxFound) this.#found.shift()
  }
}

const maxFound = 1_000
const maxPages = 1_000

/** The pages of a list that a client read, the latest last. */
interface ReadPages {
  readonly client: string
  /** The latest one that has a next one, unless the client has changed rows since */
  latest: ClientRequest | null
  /** Limits that the API lowered */
  readonly lowered: Set<string | undefined>
  readonly pages: (ListPage & { readonly offset: number })[]
  /** By offset: pages that failed, and have not been read since */
  readonly failed: LatestMap<string, FailedPage>
  /** The latest page without a next one */
  end: ClientRequest | null
  /** By address: empty pages that the client asked for after it */
  readonly beyond: LatestMap<string, ClientRequest>
}

/** A page that failed, and the first later one that the client read after it. */
interface FailedPage {
  readonly request: ClientRequest
  later: ClientRequest | null
}

const maxKept = 20

function goOn({ failed }: ReadPages, request: ClientRequest, offset: number): void {
  for (const [failedOffset, page] of failed) {
    const isLater = offset > Number(failedOffset) && !isOverlapping(page.request, request)
    if (isLater) page.later ??= request
  }
}

function startList(client: string): ReadPages {
  const [failed, beyond] = [
    new LatestMap<string, FailedPage>(maxKept),
    new LatestMap<string, ClientRequest>(maxKept),
  ]
  return { client, latest: null, lowered: new Set(), pages: [], failed, end: null, beyond }
}

function hasFailed({ status, isLost }: ClientRequest): boolean {
  return isLost || status === 429 || status >= 500
}

/** Whether a client counts pages, and asks for the next one with another limit. */
function isOtherSize({ latest }: ReadPages, { query }: ClientRequest): boolean {
  const [size, next] = [latest?.query.get('limit'), query.get('limit')]
  if (size === undefined || size === next) return false
  const start = Number(latest?.query.get('offset') ?? 0)
  return Number(query.get('offset') ?? 0) / Number(next) === start / Number(size) + 1
}

/** Pages that failed, though the client went on with a later one. */
function describeUnreadFailures({ failed }: ReadPages): Breach[] {
  return [...failed.values()].flatMap(({ request, later }): Breach[] => {
    if (!later) return []
    const got = request.isLost ? 'got no complete response' : `got a ${request.status}`
    const message = `The page ${positionIn(request.address)} ${got}, and the client read a later one and never this one.`
    const cure = 'Repeat a page that failed before you go on, or show that rows are missing.'
    return [{ rule: skippedRow, level: 'note', message, cure, requests: [request, later] }]
  })
}

/** Empty pages after the last one. A client that reads until a page is empty reads one. */
function describeEnd({ client, end, beyond }: ReadPages): Breach[] {
  const requests = [...beyond.values()]
  if (!end || requests.length < 2) return []
  const message = `The client read empty pages after one whose \`next\` was null.`
  return [
    {
      rule: pagesBeyondEnd,
      subject: client,
      message,
      requests: [end, ...requests],
      times: requests.length,
    },
  ]
}

/** Whether a page leads to a request: by a link, or by the number of its rows. An empty page ends at its own offset. */
function isLinked({ pages }: ReadPages, { address }: ClientRequest, offset: number): boolean {
  const leading = pages.findLast(({ next, previous, rows, offset: start }) => {
    const isNext = rows.length > 0 && start + rows.length === offset
    return isNext || next === address || previous === address
  })
  return leading !== undefined
}

/** Whether a row of a page was on one since the latest first one. */
function isRepeated({ pages }: ReadPages, { rows, previous }: ListPage): boolean {
  if (previous === null) return false
  const first = pages.findLastIndex((page) => page.previous === null)
  const ids = new Set(
    pages.slice(Math.max(0, first)).flatMap((page) => page.rows.map(({ id }) => id)),
  )
  return rows.some(({ id }) => ids.has(id))
}

/** @returns the limit and the offset of an address. Other parameters can be secret */
function positionIn(address: string): string {
  const query = parseQuery(address.slice(address.indexOf('?') + 1))
  const position = [...query].filter(([name]) => name === 'limit' || name === 'offset')
  return `?${writeQuery(position)}`
}
