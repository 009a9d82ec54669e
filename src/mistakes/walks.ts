import { LatestMap } from '../utils/latest-map.ts'
import type { ClientRequest, ListPage } from './client-request.ts'
import { repeatedRow, skippedRow } from './page-rules.ts'
import type { Breach, Watch } from './rule.ts'

/** The way of a client through the pages of a list. */
interface Walk {
  readonly client: string
  /** By client and list */
  readonly name: string
  readonly start: ClientRequest
  /** The request of the client before it */
  readonly before: ClientRequest | undefined
  /** The first ones, for the report */
  readonly requests: ClientRequest[]
  /** How many pages it has */
  length: number
  last: ClientRequest
  /** Those of all pages before. Null as long as there is one */
  ids: Set<unknown> | null
  /** Whether the client changed a row on its way */
  hasWritten: boolean
  repeated: unknown
  skipped: unknown
}

/** The client followed `next`, and may drop rows that it has. */
const repeatedCure =
  'Leave out rows whose `id` you have, or start again with the first page if an id comes twice.'
const skippedCure =
  'Read the list again from its first page if it must be complete. An equal `count` does not prove that no row moved.'
const ownChangeCure =
  'Change rows after the last page, or start again with the first page: rows that are created, deleted or moved shift the pages.'

/** Finds rows that clients saw twice or never, because a list changed on their way from page to page. */
export class Walks implements Watch {
  /** By client and the address of the page that comes next */
  readonly #open = new LatestMap<string, Walk>(100)
  /** The latest walk of each client and list with a row that moved */
  readonly #mistaken = new LatestMap<string, Walk>(100)
  /** The latest request of each client */
  readonly #latest = new LatestMap<string, ClientRequest>(100)

  see(request: ClientRequest): void {
    const { client, page, isUnread } = request
    const before = this.#latest.get(client)
    if (request.status < 400) this.#latest.set(client, request)
    if (request.changes.length > 0) {
      for (const walk of this.#open.values()) if (walk.client === client) walk.hasWritten = true
    }
    if (!page && !isUnread) return
    const mistaken = this.#mistaken.get(nameOf(request))
    if (mistaken && isReadAfterAll(mistaken, request, before)) this.#mistaken.delete(mistaken.name)
    const next = `${client} ${request.address}`
    if (isUnread) this.#open.delete(next)
    if (!page) return
    const isFirst = page.previous === null
    const walk = isFirst ? startWalk(request, before) : this.#open.get(next)
    if (!walk) return
    this.#open.delete(next)
    addPage(walk, request, page)
    if (page.next !== null) this.#open.set(`${client} ${page.next}`, walk)
    const known = this.#mistaken.get(walk.name)
    if (hasMoved(walk)) this.#mistaken.set(walk.name, walk)
    else if (known && isStartedAgain(known, walk)) this.#mistaken.delete(walk.name)
  }

  breaches(): readonly Breach[] {
    return [...this.#mistaken].flatMap(([subject, walk]) => {
      const { requests, repeated, skipped, hasWritten } = walk
      const isEnded = walk.last.page?.next === null
      const shared = { subject, requests }
      // A client that changes the list and looks at another page does not always read the list.
      const isNote = hasWritten && !isEnded
      return [
        ...(repeated === undefined || isNote
          ? []
          : [
              {
                ...shared,
                rule: repeatedRow,
                message: `Row ${repeated} came on two pages.`,
                cure: hasWritten ? ownChangeCure : repeatedCure,
                ...(!hasWritten && { level: 'note' as const }),
              },
            ]),
        ...(skipped === undefined
          ? []
          : [
              {
                ...shared,
                rule: skippedRow,
                message: `Row ${skipped} moved to a page that the client had read before.`,
                cure: hasWritten ? ownChangeCure : skippedCure,
                ...(isNote && { level: 'note' as const }),
              },
            ]),
      ]
    })
  }
}

const hasMoved = ({ repeated, skipped }: Walk): boolean =>
  repeated !== undefined || skipped !== undefined

/**
 * Whether a client began again at once, and came as far, with pages of any size: then it noticed. One that does something
 * else first did not notice.
 */
function isStartedAgain(mistaken: Walk, walk: Walk): boolean {
  const isAsFar = walk.last.page?.next === null || countRows(walk) >= countRows(mistaken)
  return isAsFar && walk.before === mistaken.last
}

function countRows({ ids, start }: Walk): number {
  return ids?.size ?? start.page?.rows.length ?? 0
}

/** Whether a client went back at once for a row that it had missed. */
function isReadAfterAll(
  { repeated, skipped, last }: Walk,
  { page }: ClientRequest,
  before: ClientRequest | undefined,
): boolean {
  return repeated === undefined && before === last && !!page?.rows.some(({ id }) => id === skipped)
}

function nameOf({ client, listAddress }: ClientRequest): string {
  return `${client} ${listAddress}`
}

function startWalk(request: ClientRequest, before: ClientRequest | undefined): Walk {
  const moved = { repeated: undefined, skipped: undefined }
  const pages = { start: request, last: request, requests: [], length: 0, ids: null }
  return {
    client: request.client,
    name: nameOf(request),
    before,
    ...pages,
    hasWritten: false,
    ...moved,
  }
}

/** How many requests of a walk are kept. */
const maxRequests = 1_000

function addPage(walk: Walk, request: ClientRequest, { rows }: ListPage): void {
  if (walk.length > 0) {
    const preceding = request.record.response.page?.before
    walk.ids ??= new Set(walk.start.page?.rows.map(({ id }) => id))
    const { ids } = walk
    const repeated = rows.find(({ id }) => ids.has(id))
    if (repeated) walk.repeated = repeated.id
    else if (preceding !== undefined && !ids.has(preceding)) walk.skipped = preceding
    for (const { id } of rows) ids.add(id)
  }
  if (walk.length < maxRequests) walk.requests.push(request)
  walk.length += 1
  walk.last = request
}
