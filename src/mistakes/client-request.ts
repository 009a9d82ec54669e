import { endpointOf } from '../api/endpoints.ts'
import type { Operation } from '../http/endpoint.ts'
import { type IgnoredInput, parseIgnored } from '../http/ignored-input.ts'
import { bodyLength, isOmitted, sentHeaders } from '../http/messages.ts'
import { isBodyCut } from '../simulator/faults/fault.ts'
import { isDuring } from '../simulator/journal/deliveries.ts'
import type { JournalChange, JournalEntry } from '../simulator/journal/entry.ts'
import { toLine } from '../simulator/journal/explain-response.ts'
import type { JournalRecord } from '../simulator/journal/journal.ts'
import {
  decodeRequestBody,
  findSentKey,
  parseBodyText,
  responseOf,
} from '../simulator/journal/messages.ts'
import { requestLine } from '../simulator/journal/request-line.ts'
import { toJournalChange } from '../simulator/journal/row-changes.ts'
import type { WrittenEntry } from '../simulator/journal/written-entry.ts'
import { writeQuery } from '../utils/query.ts'
import type { Address, Addresses } from './addresses.ts'

/** A page of a list. Links are addresses as in `ClientRequest`. */
export interface ListPage {
  readonly rows: readonly ListRow[]
  readonly next: string | null
  readonly previous: string | null
}

/** A row of a list. */
export type ListRow = Readonly<Record<string, unknown>> & { readonly id: number | string }

/** The row that a path names. */
interface PathRow {
  readonly list: JournalChange['list'] & `${'annotation' | 'plugin'}s`
  readonly id: number
  /** Such as `plugin 22` */
  readonly title: string
}

const rowInPath = /^\/api\/\w+\/[^/]+\/(annotations|plugins)\/(\d+)(?:\/|$)/

const maxLineLength = 200

/** An entry that is written now, whose record is known, or one of a file. */
export type ObservedEntry = WrittenEntry | JournalEntry

/** A journal entry, and what several rules need of it. Rules ask for little of most requests, so it is found on demand. */
export class ClientRequest {
  readonly entry: ObservedEntry
  /** The key of the request, in full if it is known. A client is recognized by it. Never shown */
  readonly client: string
  /** What it does with rows of a list. Undefined for a HEAD, for no endpoint, and for files and activities of plugins */
  readonly verb: Operation['verb']
  /** The list of the endpoint */
  readonly list: Operation['list'] | undefined
  /** 0 if there was no response */
  readonly status: number
  /** The test that it belongs to, or null */
  readonly test: string | null
  /** Whether the client got no complete response */
  readonly isLost: boolean
  /** Whether the client got rows that the journal did not keep */
  readonly isUnread: boolean
  /** Whether the response says nothing about the rows of the world, as that of a recording */
  readonly isReplaced: boolean
  /** Whether the simulator answered it, without a fault */
  readonly isServed: boolean
  /** Whether time passes between requests, as far as it is known */
  readonly isTimed: boolean
  /** The page of a list that the client got, or null */
  readonly page: ListPage | null
  /** What the entry is written from: to compare, and never to be shown. Undefined for an entry of a file */
  readonly #record: JournalRecord | undefined
  readonly #sandboxId: string | null
  readonly #addresses: Addresses
  #address: Address | undefined
  #changes: readonly JournalChange[] | undefined
  #sent: unknown
  #received: unknown

  /** @param sandboxId what the request belongs to if no test is known, such as a sandbox */
  constructor(entry: ObservedEntry, addresses: Addresses, sandboxId: string | null) {
    const record = 'record' in entry ? entry.record : undefined
    const { status } = (record ?? entry).response
    const endpoint = endpointOf((record ?? entry).operation)
    this.entry = entry
    this.client = clientOf(entry, record)
    // A HEAD shows no row.
    this.verb = entry.method === 'HEAD' ? undefined : endpoint?.verb
    this.list = endpoint?.list
    this.status = status
    this.test = entry.test ?? null
    this.isReplaced = record?.isReplaced ?? false
    this.isServed = record?.fault === null
    this.isTimed = 'record' in entry && !entry.isFrozen
    this.#record = record
    this.#sandboxId = sandboxId
    this.#addresses = addresses
    const bytes = record ? (bodyLength(record.response.body) ?? 0) : entry.response.bytes
    this.isLost = status === 0 || (!this.isServed && isBodyCut(record ?? entry, bytes))
    this.page = this.isLost ? null : this.#readPage()
    const isRead = status === 200 && !this.isLost && entry.method !== 'HEAD'
    this.isUnread = isRead && this.page === null && isUnkept(entry, record)
  }

  /** The body of the request. Never shown as it is: see `show` */
  get sent(): unknown {
    const record = this.#record
    if (!record) return this.entry.request.body
    if (this.#sent === undefined) {
      const decoded = decodeRequestBody(record)
      this.#sent = 'value' in decoded ? decoded.value : null
    }
    return this.#sent
  }

  /** The body of the response. Never shown as it is */
  get received(): unknown {
    const record = this.#record
    if (!record) return this.entry.response.body
    if (this.#received === undefined) {
      const { text, type } = responseOf(record)
      this.#received = parseBodyText(text, type) ?? null
    }
    return this.#received
  }

  /** Whether the journal kept the body of the request */
  get isSentKept(): boolean {
    return this.#record ? !isOmitted(this.#record.requestBody) : !this.entry.request.omitted
  }

  /** The length of the body of the request, in bytes */
  get sentBytes(): number {
    return this.#record ? (bodyLength(this.#record.requestBody) ?? 0) : this.entry.request.bytes
  }

  /** A header of the request. Never shown as it is */
  sentHeader(name: string): string | null {
    if (this.#record) return this.#record.requestHeaders.get(name)
    return this.entry.request.headers[name] ?? null
  }

  /** The headers of the response. Never shown as they are */
  get receivedHeaders(): Headers {
    return new Headers(
      this.#record ? sentHeaders(this.#record.response) : this.entry.response.headers,
    )
  }

  /** The effect of the fault that was applied */
  get faultEffect(): { readonly [name: string]: unknown } {
    return Object((this.#record ?? this.entry).fault?.effect)
  }

  /** What the request changed. Never shown as it is */
  get changes(): readonly JournalChange[] {
    this.#changes ??= this.#record?.changes.map(toJournalChange) ?? this.entry.changes
    return this.#changes
  }

  /** The fields and parameters that the operation ignored. Their names are never shown as they are: see `toLine` */
  get ignored(): readonly IgnoredInput[] {
    return this.#record?.ignored ?? this.entry.ignored.map(parseIgnored)
  }

  /** A sentence about the request with masked keys, in one line. */
  toLine(text: string): string {
    return 'record' in this.entry ? toLine(text, this.entry.redactor) : text
  }

  /** A field of a row or a body with masked secrets. */
  show(name: string, value: unknown): unknown {
    return 'record' in this.entry ? this.entry.redactor.part(value, [name]) : value
  }

  /** Whether a request got its response while this one waited for its own. */
  isDuring(other: ClientRequest): boolean {
    const [own, their] = [this.#record, other.#record]
    if (!own || !their) return this.entry.overlaps?.includes(other.entry.id) === true
    return isDuring(own, their)
  }

  /** When the request arrived: milliseconds since 1970, by the clock of the sandbox */
  get at(): number {
    return Date.parse(this.entry.at)
  }

  /** The path from `/api` on, without a final slash */
  get path(): string {
    return this.#found.path
  }

  /** The row of the path, also below it, as in `…/plugins/22/upgrade/`. Null for none, and for an id that no row can have */
  get row(): PathRow | null {
    const [, list, digits] = rowInPath.exec(this.path) ?? []
    if (list === undefined) return null
    const id = Number(digits)
    return { list: list as PathRow['list'], id, title: `${list.slice(0, -1)} ${id}` }
  }

  /** The last value of each parameter */
  get query(): ReadonlyMap<string, string> {
    return this.#found.query
  }

  /** The path and the query, in a form that can be compared */
  get address(): string {
    return this.#found.whole
  }

  /** The address, whatever the page */
  get listAddress(): string {
    return this.#found.ofList
  }

  /** Such as `entry 3 of the test that lists rows: 200 GET /api/projects/1/annotations/` */
  get line(): string {
    const { id, method } = this.entry
    const target = this.#target.slice(0, maxLineLength)
    const owner = this.test ?? this.#sandboxId
    const whose = owner === null ? '' : ` of ${owner}`
    return `entry ${id}${whose}: ${requestLine({ status: this.status, method, target })}`
  }

  /** The path and the query, with masked keys */
  get #target(): string {
    const { path, query } = this.entry
    const search = writeQuery(Object.entries(query))
    return `${path}${search && `?${search}`}`
  }

  get #found(): Address {
    this.#address ??= this.#addresses.of(this.#record?.target ?? this.#target)
    return this.#address
  }

  #readPage(): ListPage | null {
    const { entry } = this
    if (this.status !== 200 || this.verb === 'retrieve' || entry.method !== 'GET') return null
    const shown = this.#record?.response.page
    if (shown) return this.#toPage(shown)
    const { results, count, next, previous } = Object(this.received)
    // A fault can put anything into a response.
    const isPage = Array.isArray(results) && results.every((row) => Object(row) === row)
    return isPage && typeof count === 'number'
      ? this.#toPage({ rows: results, next, previous })
      : null
  }

  #toPage({ rows, next, previous }: Record<keyof ListPage, unknown>): ListPage {
    const addressOf = (link: unknown) =>
      typeof link === 'string' ? this.#addresses.of(link).whole : null
    const links = { next: addressOf(next), previous: addressOf(previous) }
    return { rows: rows as ListPage['rows'], ...links }
  }
}

function clientOf(entry: ObservedEntry, record?: JournalRecord): string {
  if (!record) return entry.key ? `${entry.key.label} ${entry.key.value}` : ''
  return record.requestHeaders.get('authorization') ?? findSentKey(record)?.value ?? ''
}

/** Whether the journal did not keep the body of a response. */
function isUnkept(entry: ObservedEntry, record?: JournalRecord): boolean {
  return record ? isOmitted(record.response.body) : entry.response.omitted
}

/** Whether none of two requests was sent because of the response to the other one. */
export function isOverlapping(a: ClientRequest, b: ClientRequest): boolean {
  return a.isDuring(b) || b.isDuring(a)
}
