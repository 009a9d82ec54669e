import { endpointOf } from '../api/endpoints.ts'
import type { Operation } from '../http/endpoint.ts'
import { isBodyCut } from '../simulator/faults/fault.ts'
import type { JournalEntry } from '../simulator/journal/entry.ts'
import type { ObservedEntry } from '../simulator/journal/entry-writer.ts'
import { requestLine } from '../simulator/journal/request-line.ts'

/** A journal entry, and what several rules need of it. */
export interface ClientRequest {
  readonly entry: JournalEntry
  /** The key of the request, in full if it is known. A client is recognized by it. Never shown */
  readonly client: string
  /** When the request arrived: milliseconds since 1970, by the clock of the sandbox */
  readonly at: number
  /** The path from `/api` on, without a final slash */
  readonly path: string
  /** The path and the query, in a form that can be compared */
  readonly address: string
  /** The address, whatever the page */
  readonly listAddress: string
  /** What it does with rows of a list. Undefined for a request to no endpoint, and for files and activities of plugins */
  readonly verb: Operation['verb']
  /** The list of the endpoint */
  readonly list: Operation['list'] | undefined
  /** The test that it belongs to, or null */
  readonly test: string | null
  /** Such as `entry 3 of the test that lists rows: 200 GET /api/projects/1/annotations/` */
  readonly line: string
  /** Whether the client got no complete response */
  readonly isLost: boolean
  /** The page of a list that the client got, or null */
  readonly page: ListPage | null
  /** Whether no time passes between requests. Null if it is not known */
  readonly isFrozen: boolean | null
  /** Whether the response says nothing about the rows of the world */
  readonly isReplaced: boolean
  /** Whether the client got rows that the journal did not keep */
  readonly isUnread: boolean
}

/** Whether none of two requests was sent because of the response to the other one. */
export function isOverlapping(
  { entry: one }: ClientRequest,
  { entry: other }: ClientRequest,
): boolean {
  return Boolean(one.overlaps?.includes(other.id) || other.overlaps?.includes(one.id))
}

/** A page of a list. Links are addresses as in `ClientRequest`. */
export interface ListPage {
  readonly rows: readonly ListRow[]
  readonly next: string | null
  readonly previous: string | null
  /** A row with masked secrets, for messages */
  show(row: ListRow): ListRow
}

/** A row of a list. */
export type ListRow = Readonly<Record<string, unknown>> & { readonly id: number | string }

const maxLineLength = 200

/** @param sandboxId what the request belongs to if no test is known, such as a sandbox */
export function toClientRequest(observed: ObservedEntry, sandboxId: string | null): ClientRequest {
  const { entry } = observed
  const { id, method, key, response, query, test = null } = entry
  const path = toPath(entry.path)
  const search = String(new URLSearchParams(query))
  const target = `${entry.path}${search && `?${search}`}`.slice(0, maxLineLength)
  const { status } = response
  const isLost = status === 0 || hasBrokenBody(entry)
  const owner = test ?? sandboxId
  const page = isLost ? null : toPage(observed)
  const endpoint = endpointOf(entry.operation)
  return {
    entry,
    client: observed.sender ?? (key ? `${key.label} ${key.value}` : ''),
    at: Date.parse(entry.at),
    path,
    address: toAddress(path, Object.entries(query)),
    listAddress: toAddress(path, withoutPosition(query)),
    verb: endpoint?.verb,
    list: endpoint?.list,
    test,
    line: `entry ${id}${owner === null ? '' : ` of ${owner}`}: ${requestLine({ status, method, target })}`,
    isLost,
    page,
    isFrozen: observed.isFrozen ?? null,
    isReplaced: observed.isReplaced ?? false,
    isUnread: !isLost && page === null && status === 200 && response.omitted,
  }
}

/** Whether a fault broke the connection within the body. The journal has the whole body then. */
export function hasBrokenBody(entry: JournalEntry): boolean {
  return isBodyCut(entry, entry.response.bytes)
}

function toPage({ entry, page }: ObservedEntry): ListPage | null {
  if (page) {
    const { rows, next, previous, show } = page
    const links = { next: linkAddress(next), previous: linkAddress(previous) }
    return { rows: rows as readonly ListRow[], ...links, show: show as ListPage['show'] }
  }
  const { method, response } = entry
  const { results, count, next, previous } = Object(response.body)
  const isPage = method === 'GET' && response.status === 200 && Array.isArray(results)
  // A fault can put anything into a response.
  if (!isPage || typeof count !== 'number' || results.some((row) => Object(row) !== row))
    return null
  const links = { next: linkAddress(next), previous: linkAddress(previous) }
  return { rows: results, ...links, show: (row) => row }
}

function withoutPosition(query: JournalEntry['query']): [string, string][] {
  return Object.entries(query).filter(([name]) => name !== 'limit' && name !== 'offset')
}

function linkAddress(link: unknown): string | null {
  if (typeof link !== 'string' || !URL.canParse(link, 'http://localhost')) return null
  const { pathname, searchParams } = new URL(link, 'http://localhost')
  return toAddress(toPath(pathname), new Map(searchParams))
}

function toPath(path: string): string {
  return path.slice(Math.max(0, path.search(/\/api(\/|$)/))).replace(/\/$/, '')
}

/** Sorts the parameters, so that addresses with equal parameters are equal. */
function toAddress(path: string, parameters: Iterable<readonly [string, string]>): string {
  const query = new URLSearchParams([...parameters].map(([name, value]) => [name, value]))
  query.sort()
  return `${path}?${query}`
}
