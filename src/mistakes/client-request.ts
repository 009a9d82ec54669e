import { endpointOf } from '../api/endpoints.ts'
import type { Operation } from '../http/endpoint.ts'
import { isOmitted } from '../http/messages.ts'
import { isBodyCut } from '../simulator/faults/fault.ts'
import type { RowChange } from '../simulator/journal/changes.ts'
import type { JournalChange } from '../simulator/journal/entry.ts'
import { type JournalRecord, keptLength } from '../simulator/journal/journal.ts'
import {
  decodeRequestBody,
  maskPath,
  maskQuery,
  parseResponseBody,
} from '../simulator/journal/messages.ts'
import { requestLine } from '../simulator/journal/request-line.ts'
import { toLine, type WrittenEntry } from '../simulator/journal/written-entry.ts'
import { splitQuery, writeQuery } from '../utils/query.ts'
import type { Redactor } from '../utils/redaction/redactor.ts'
import { compareText } from '../utils/text.ts'
import { type ExportedRow, isInFiles } from '../world/load/export-world.ts'
import { rowIdOf } from '../world/tables.ts'
import { isSameValue, readFields, type StoredFields } from './stored-fields.ts'

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

const rowInPath = /^\/api\/\w+\/[^/]+\/(annotations|plugins)\/(\d+)(?:\.json)?(?:\/|$)/

const maxLineLength = 200

/** Of a request without its bodies, and of a row of a page: the row itself belongs to the world. */
const [usualBytes, rowBytes] = [2_000, 16]

const writeMethods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** What the rules read of an entry. */
export type ObservedEntry = Pick<
  WrittenEntry,
  'record' | 'client' | 'test' | 'asked_for' | 'reason' | 'bytes'
> & { readonly redactor: Redactor }

/** A request of a journal, and what several rules need of it. Rules ask for little of most requests, so it is found on demand. */
export class ClientRequest {
  /** What the entry is written from: to compare, and never to be shown */
  readonly record: JournalRecord
  /** The key of the request, or a name for it. A client is recognized by it. Never shown */
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
  /** Whether the simulator answered it, without a fault */
  readonly isServed: boolean
  /** The page of a list that the client got, or null */
  readonly page: ListPage | null
  readonly #entry: ObservedEntry
  readonly #sandboxId: string | null
  #address: Address | undefined
  #row: PathRow | null | undefined
  #changes: readonly WrittenRow[] | undefined
  #sent: unknown
  #fields: StoredFields | undefined
  #received: unknown

  /** @param sandboxId what the request belongs to if no test is known, such as a sandbox */
  constructor(entry: ObservedEntry, sandboxId: string | null) {
    const { record, client, test = null } = entry
    const { method, operation, fault, response } = record
    const endpoint = endpointOf(operation)
    this.#entry = entry
    this.record = record
    this.client = client
    // A HEAD shows no row.
    this.verb = method === 'HEAD' ? undefined : endpoint?.verb
    this.list = endpoint?.list
    this.status = response.status
    this.test = test
    this.isServed = fault === null
    this.#sandboxId = sandboxId
    this.isLost = this.status === 0 || (fault !== null && isBodyCut(record, entry.bytes.received))
    this.page = this.isLost ? null : this.#readPage()
    const isRead = this.status === 200 && !this.isLost && method !== 'HEAD'
    this.isUnread = isRead && this.page === null && isOmitted(response.body)
  }

  /** The body of the request. Never shown as it is: see `show` */
  get sent(): unknown {
    if (this.#sent === undefined) {
      const decoded = decodeRequestBody(this.record)
      this.#sent = 'value' in decoded ? decoded.value : null
    }
    return this.#sent
  }

  /** The body of the request as the API stores it, by which equal requests are told */
  get fields(): StoredFields {
    this.#fields ??= readFields(this.list ?? '', this.sent, this.record.settings)
    return this.#fields
  }

  /** The body of the response. Never shown as it is */
  get received(): unknown {
    if (this.#received === undefined) this.#received = parseResponseBody(this.record)
    return this.#received
  }

  /** Whether the journal kept the body of the request */
  get isSentKept(): boolean {
    return !isOmitted(this.record.requestBody)
  }

  /** The length of the body of the request, in bytes */
  get sentBytes(): number {
    return this.#entry.bytes.sent
  }

  /** The memory of what is kept of it, roughly: with the rows that it wrote, which pages have, too */
  get bytes(): number {
    const { requestBody, response, target, changes } = this.record
    // A page is written from its rows when its body is read.
    const shown = response.page ? response.page.rows.length * rowBytes : keptLength(response.body)
    const written = changes.reduce((sum, { bytes }) => sum + bytes, shown)
    return usualBytes + target.length + keptLength(requestBody) + written
  }

  /** Whether its method is one that changes rows */
  get isWrite(): boolean {
    return writeMethods.has(this.record.method)
  }

  /** Whether `verify` expected its refusal */
  get isAskedFor(): boolean {
    return this.#entry.asked_for === true
  }

  /** Why it was refused, with masked keys, such as `400: the body is no JSON` */
  get reason(): string {
    return this.#entry.reason ?? `a ${this.status}`
  }

  /** The effect of the fault that was applied */
  get faultEffect(): { readonly [name: string]: unknown } {
    return Object(this.record.fault?.effect)
  }

  /** What the request changed. Never shown as it is */
  get changes(): readonly WrittenRow[] {
    this.#changes ??= this.record.changes.map((change) => new WrittenRow(change))
    return this.#changes
  }

  /** A sentence about the request with masked keys, in one line. */
  toLine(text: string): string {
    return toLine(text, this.#entry.redactor)
  }

  /** A field of a row or a body with masked secrets. */
  show(name: string, value: unknown): unknown {
    return this.#entry.redactor.json(value, [name])
  }

  /** Whether a request got its response while this one waited for its own. */
  isDuring({ record: { position: other } }: ClientRequest): boolean {
    const { arrival, position } = this.record
    return (arrival.position <= other && other < position) || arrival.unsent.includes(other)
  }

  /** The path from `/api` on, without a final slash */
  get path(): string {
    return this.#found.path
  }

  /** The row of the path, also below it, as in `…/plugins/22/upgrade/`. Null for none, and for an id that no row can have */
  get row(): PathRow | null {
    this.#row ??= rowIn(this.path)
    return this.#row
  }

  /** The last value of each parameter */
  get query(): ReadonlyMap<string, string> {
    return this.#found.query
  }

  /** The path and the query, in a form that can be compared */
  get address(): string {
    return this.#found.whole
  }

  /** The path and the search, which decide which rows a list has */
  get listAddress(): string {
    const hasSearch = this.record.target.includes('search=')
    return `${this.path}?${(hasSearch && this.query.get('search')) || ''}`
  }

  /** Such as `entry 3 of the test that lists rows: 200 GET /api/projects/1/annotations/` */
  get line(): string {
    const { id, method, target: sent } = this.record
    const { redactor } = this.#entry
    const search = writeQuery(Object.entries(maskQuery(sent, redactor)))
    const target = `${maskPath(sent, redactor)}${search && `?${search}`}`.slice(0, maxLineLength)
    const owner = this.test ?? this.#sandboxId
    const whose = owner === null ? '' : ` of ${owner}`
    const cut = this.isLost && this.status > 0 ? ', cut' : ''
    return `entry ${id}${whose}: ${requestLine(this.status, method, target)}${cut}`
  }

  get #found(): Address {
    this.#address ??= new Address(this.record.target)
    return this.#address
  }

  #readPage(): ListPage | null {
    const { method, response } = this.record
    if (this.status !== 200 || this.verb === 'retrieve' || method !== 'GET') return null
    const shown = response.page
    if (shown) return this.#toPage(shown)
    const { results, count, next, previous } = Object(this.received)
    // A fault can put anything into a response.
    const isPage = Array.isArray(results) && results.every((row) => Object(row) === row)
    return isPage && typeof count === 'number'
      ? this.#toPage({ rows: results, next, previous })
      : null
  }

  #toPage({ rows, next, previous }: Record<keyof ListPage, unknown>): ListPage {
    const addressOf = (link: unknown) => (typeof link === 'string' ? new Address(link).whole : null)
    const links = { next: addressOf(next), previous: addressOf(previous) }
    return { rows: rows as ListPage['rows'], ...links }
  }
}

function rowIn(path: string): PathRow | null {
  const [, list, digits] = rowInPath.exec(path) ?? []
  if (list === undefined) return null
  const id = Number(digits)
  return { list: list as PathRow['list'], id, title: `${list.slice(0, -1)} ${id}` }
}

/** Whether none of two requests was sent because of the response to the other one. */
export function isOverlapping(a: ClientRequest, b: ClientRequest): boolean {
  return a.isDuring(b) || b.isDuring(a)
}

/** Where a request goes, in forms that can be compared. */
export class Address {
  /** The path from `/api` on, without a final slash */
  readonly path: string
  readonly #search: string
  #query: ReadonlyMap<string, string> | undefined
  #whole: string | undefined

  /** @param target a path with its query, or an absolute URL */
  constructor(target: string) {
    const end = target.indexOf('?')
    const path = end < 0 ? target : target.slice(0, end)
    this.path = path.slice(Math.max(0, path.search(/\/api(\/|$)/))).replace(/\/$/, '')
    this.#search = end < 0 ? '' : target.slice(end + 1)
  }

  /** The last value of each parameter */
  get query(): ReadonlyMap<string, string> {
    this.#query ??= new Map(splitQuery(this.#search.replace(/#.*/s, '')))
    return this.#query
  }

  /** The limit and the offset. Other parameters can be secret */
  get position(): string {
    const position = [...this.query].filter(([name]) => name === 'limit' || name === 'offset')
    return `?${writeQuery(position)}`
  }

  /** The path and the query, in which parameters are in order */
  get whole(): string {
    this.#whole ??= `${this.path}?${isInOrder.test(this.#search) ? this.#search : this.#sorted}`
    return this.#whole
  }

  get #sorted(): string {
    return writeQuery([...this.query].sort(([a], [b]) => compareText(a, b)))
  }
}

/** Most queries, and the links of pages, have nothing to sort. */
const isInOrder = /^(?:limit=\d+)?(?:(?:^|&)offset=\d+)?$/

/** A row that a request wrote. Never shown as it is. */
export class WrittenRow {
  readonly list: JournalChange['list']
  readonly id: JournalChange['id']
  readonly isNew: boolean
  /** Whether it is hidden from lists now, or removed */
  readonly isDeleted: boolean
  readonly isRestored: boolean
  readonly #change: RowChange

  constructor(change: RowChange) {
    const { list, before, after } = change
    const { deleted: was } = Object(before)
    const { deleted: is } = Object(after)
    this.list = list
    this.id = rowIdOf(list, (after ?? before) as object)
    this.isNew = before === undefined
    this.isDeleted = after === undefined || (is === true && was !== true)
    this.isRestored = is === false && was !== false
    this.#change = change
  }

  /** The fields that it has now. Undefined if it was removed */
  get values(): ExportedRow | undefined {
    return this.#change.after as ExportedRow | undefined
  }

  /** The values of a field before and after. Undefined for one that did not change */
  valuesOf(name: string): readonly [unknown, unknown] | undefined {
    const { before, after } = this.#change as { [Name in 'before' | 'after']?: ExportedRow }
    const [old, value] = [before?.[name] ?? null, after?.[name] ?? null]
    return isSameValue(old, value) || !isInFiles(this.list, name) ? undefined : [old, value]
  }
}
