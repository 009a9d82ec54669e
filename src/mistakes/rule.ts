import { type Evidence, observedSources } from '../settings/setting.ts'
import { isBodyCut } from '../simulator/faults/fault.ts'
import type { JournalEntry } from '../simulator/journal/entry.ts'
import type { Finding, FindingLevel, RuleDescription } from '../utils/reports/report.ts'

/** A journal entry, and what several rules need of it. */
export interface ClientRequest {
  readonly entry: JournalEntry
  /** The key of the request. A client is recognized by it */
  readonly client: string
  /** When the request arrived: milliseconds since 1970, by the clock of the sandbox */
  readonly at: number
  /** The path from `/api` on, without a final slash */
  readonly path: string
  /** The path and the query, in a form that can be compared */
  readonly address: string
  /** The address of a list, whatever the page */
  readonly list: string
  /** The test that it belongs to, or null */
  readonly test: string | null
  /** Such as `entry 3 of the test that lists rows: GET /api/projects/1/annotations/ → 200` */
  readonly line: string
  /** Whether the client got no complete response */
  readonly isLost: boolean
  /** The page of a list that the client got, or null */
  readonly page: ListPage | null
}

/** A page of a list. Links are addresses as in `ClientRequest`. */
interface ListPage {
  readonly rows: readonly ListRow[]
  readonly next: string | null
  readonly previous: string | null
}

/** A row of a list. */
export type ListRow = Readonly<Record<string, unknown>> & { readonly id: number | string }

const maxLineLength = 200

/** @param place what the requests belong to if no test is known, such as a sandbox */
export function toClientRequest(entry: JournalEntry, place: string | null = null): ClientRequest {
  const { id, method, key, response, query, test = null } = entry
  const path = toPath(entry.path)
  const search = String(new URLSearchParams(query))
  const target = `${entry.path}${search && `?${search}`}`.slice(0, maxLineLength)
  const status = response.status || 'no response'
  const isLost = response.status === 0 || hasBrokenBody(entry)
  const owner = test ?? place
  const name = `entry ${id}${owner === null ? '' : ` of ${owner}`}`
  return {
    entry,
    client: key ? `${key.label} ${key.value}` : 'no key',
    at: Date.parse(entry.at),
    path,
    address: toAddress(path, Object.entries(query)),
    list: toAddress(path, withoutPosition(query)),
    test,
    line: `${name}: ${method} ${target} → ${status}`,
    isLost,
    page: isLost ? null : toPage(entry),
  }
}

/** Whether a fault broke the connection within the body. The journal has the whole body then. */
export function hasBrokenBody(entry: JournalEntry): boolean {
  return isBodyCut(entry, entry.response.bytes)
}

function toPage({ method, response }: JournalEntry): ListPage | null {
  const { body, status } = response
  const { results, count, next, previous } = Object(body)
  const isPage = method === 'GET' && status === 200 && Array.isArray(results)
  // A fault can put anything into a response.
  if (!isPage || typeof count !== 'number' || results.some((row) => Object(row) !== row))
    return null
  return { rows: results, next: linkAddress(next), previous: linkAddress(previous) }
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

/** A mistake that clients make, and that a journal shows. */
export interface ClientRule extends RuleDescription {
  /** `error`: data was lost or duplicated. `warning`: it will fail one day. `note`: it may be on purpose */
  readonly level: FindingLevel
  readonly cure: string
  /** Why the API is believed to work as the rule says */
  readonly evidence: Evidence
  readonly source: string
}

type Origin = Pick<ClientRule, 'evidence' | 'source'>

export const readInSource: Origin = {
  evidence: 'observed',
  source: observedSources.source,
}
export const seenInFramework: Origin = {
  evidence: 'observed',
  source: observedSources.framework,
}

/** @param text a sentence of the documentation */
export function documented(text: string): Origin {
  return { evidence: 'documented', source: `the documentation says: ${text}` }
}

/** Requests that break a rule. */
export interface Breach {
  readonly message: string
  readonly requests: readonly ClientRequest[]
  /** What to do about this one. By default the cure of the rule */
  readonly cure?: string
  /** Breaches of a rule with the same subject are one mistake, with the message of the first. By default the message */
  readonly subject?: string
}

/** A rule, and what finds its breaches in the requests of one history, in their order. */
export interface CheckedRule {
  readonly rule: ClientRule
  readonly find: (requests: readonly ClientRequest[]) => readonly Breach[]
}

/** A mistake that a client made. Equal mistakes are one. */
export interface ClientMistake extends Finding {
  /** The ids of the journal entries that show it: the first 20 */
  readonly entries: readonly number[]
  /** How many entries show it */
  readonly count: number
  /** The tests that the entries belong to. Only if they are known */
  readonly tests?: readonly string[]
}
