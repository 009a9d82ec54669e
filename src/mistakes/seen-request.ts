import { endpointOf } from '../api/endpoints.ts'
import type { Operation } from '../http/endpoint.ts'
import { isSuccess, parseInteger } from '../http/messages.ts'
import type { FaultEffect } from '../simulator/faults/fault.ts'
import type { JournalRecord } from '../simulator/journal/journal.ts'
import { isObject } from '../utils/json.ts'
import { splitQuery, writeQuery } from '../utils/query.ts'
import { compareText } from '../utils/text.ts'
import { searchTerms } from '../world/search.ts'

/** A row as a response showed it. */
export type SeenRow = Readonly<Record<string, unknown>> & { readonly id: number | string }

/** A page of a list, with its links as they are in the response. */
export interface ListPage {
  readonly rows: readonly SeenRow[]
  readonly next: string | null
  readonly previous: string | null
}

interface PathRow {
  readonly list: 'annotations' | 'plugins'
  readonly id: number
  /** Such as `plugin 22` */
  readonly title: string
}

const rowInPath = /^\/api\/\w+\/[^/]+\/(annotations|plugins)\/(\d+)(?:\.json)?(?:\/|$)/

const writeMethods: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** What each source says of a request. Times are milliseconds since 1970, by the clock of the client or of the world. */
export interface SeenRecord
  extends Pick<JournalRecord, 'id' | 'at' | 'ms' | 'method' | 'operation' | 'target'> {
  readonly response: Pick<JournalRecord['response'], 'status'>
  /** What lets a simulator respond in this way, if no rule of the service does. Null for a usual response */
  readonly fault: { readonly effect: FaultEffect } | null
}

export type Fields = Readonly<Record<string, unknown>>

interface Bodies {
  readonly sent?: unknown
  readonly received?: unknown
}

/** A request that was seen in an archive, a journal or a running world. What few ask for is found on demand. */
export class SeenRequest {
  readonly record: SeenRecord
  /** The key of the request, or a name for it. A client is recognized by it. Empty without one. Never shown */
  readonly client: string
  /** What it does with rows of a list. Undefined for a HEAD, for no endpoint, and for files and activities of plugins */
  readonly verb: Operation['verb']
  readonly list: Operation['list'] | undefined
  /** 0 if there was no response */
  readonly status: number
  readonly #bodies: Bodies | undefined
  readonly #address: Address
  #page: ListPage | null | undefined
  #rows: readonly SeenRow[] | undefined

  constructor(record: SeenRecord, client: string, bodies?: Bodies, address?: Address) {
    const endpoint = endpointOf(record.operation)
    this.record = record
    this.client = client
    // A HEAD shows no row.
    this.verb = record.method === 'HEAD' ? undefined : endpoint?.verb
    this.list = endpoint?.list
    this.status = record.response.status
    this.#bodies = bodies
    this.#address = address ?? new Address(record.target)
  }

  /** The fields of the body of the request, none of another body. Never shown as they are */
  get sent(): Fields {
    return toFields(this.#bodies?.sent)
  }

  /** The body of the response. Never shown as it is */
  get received(): unknown {
    return this.#bodies?.received
  }

  /** When its response was complete */
  get until(): number {
    return this.record.at + this.record.ms
  }

  get isWrite(): boolean {
    return writeMethods.has(this.record.method)
  }

  /** Whether it changes fields of a row */
  get isUpdate(): boolean {
    return this.verb === 'update' || this.verb === 'replace'
  }

  get faultEffect(): FaultEffect {
    return this.record.fault?.effect ?? {}
  }

  /** The page of a list that the client got, or null */
  get page(): ListPage | null {
    if (this.#page === undefined) {
      const isRead = this.status === 200 && this.verb !== 'retrieve'
      this.#page = isRead && this.record.method === 'GET' ? this.shownPage() : null
    }
    return this.#page
  }

  protected shownPage(): ListPage | null {
    const { results: rows, count, next, previous } = Object(this.received)
    // A fault can put anything into a response.
    const isPage = Array.isArray(rows) && rows.every((row) => Object(row) === row)
    if (!isPage || typeof count !== 'number') return null
    return { rows, next: toLink(next), previous: toLink(previous) }
  }

  /** The number of rows on all pages. Null without a page */
  get count(): number | null {
    const { count } = Object(this.page && this.received)
    return Number.isSafeInteger(count) ? count : null
  }

  /** The rows of a success */
  get rows(): readonly SeenRow[] {
    if (this.#rows === undefined) {
      const { received: body, verb, status } = this
      // Operations without a verb show a plugin by some settings only.
      const isPlugin = isSeenRow(body) && 'plugin_type' in body && body.id !== 0
      this.#rows = isSuccess(status) && (verb || isPlugin) ? readRows(body) : []
    }
    return this.#rows
  }

  get path(): string {
    return this.#address.path
  }

  /** The row of the path, also below it, as in `…/plugins/22/upgrade/`. Null for none, and for an id that is no number */
  get row(): PathRow | null {
    return this.#address.row
  }

  /** The project or the organization of the path, as it is written. Empty without one */
  get parent(): string {
    return this.path.split('/', 4)[3] ?? ''
  }

  get query(): ReadonlyMap<string, string> {
    return this.#address.query
  }

  /** How many rows precede the page that it asks for */
  get offset(): number {
    return Math.max(0, parseInteger(this.query.get('offset') ?? '') ?? 0)
  }

  /** The text that it searches for. Empty without one */
  get search(): string {
    return this.query.get('search') ?? ''
  }

  /** The folded search terms. Plugins are not searched */
  get terms(): readonly string[] {
    return searchTerms(this.list === 'annotations' ? this.search.replaceAll('\0', '') : '')
  }

  /** The path and the query, in a form that can be compared */
  get address(): string {
    return this.#address.whole
  }

  /** The path and the search, which decide which rows a list has */
  get listAddress(): string {
    return `${this.path}?${this.search}`
  }
}

export function toFields(body: unknown): Fields {
  return isObject(body) ? body : {}
}

/** The rows of a page, or the one that a body is. The live service wraps the plugin that it checked. */
export function readRows(body: unknown): readonly SeenRow[] {
  if (!isObject(body)) return []
  const row = isObject(body.plugin) ? body.plugin : body
  return (Array.isArray(body.results) ? body.results : [row]).filter(isSeenRow)
}

export function isSeenRow(value: unknown): value is SeenRow {
  return isObject(value) && (typeof value.id === 'number' || typeof value.id === 'string')
}

function toLink(link: unknown): string | null {
  return typeof link === 'string' ? link : null
}

function rowIn(path: string): PathRow | null {
  const [, list, digits] = rowInPath.exec(path) ?? []
  if (list === undefined) return null
  const id = Number(digits)
  return { list: list as PathRow['list'], id, title: `${list.slice(0, -1)} ${id}` }
}

/** Where a request goes, in forms that can be compared. */
export class Address {
  /** The path from `/api` on, without a final slash */
  readonly path: string
  readonly target: string
  readonly #search: string
  #row: PathRow | null | undefined
  #query: ReadonlyMap<string, string> | undefined
  #whole: string | undefined

  /** @param target a path with its query, or an absolute URL */
  constructor(target: string) {
    this.target = target
    const end = target.indexOf('?')
    const path = end < 0 ? target : target.slice(0, end)
    const start = path.startsWith('/api/') ? 0 : Math.max(0, path.search(/\/api(\/|$)/))
    this.path = path.slice(start, path.endsWith('/') ? -1 : undefined)
    this.#search = end < 0 ? '' : target.slice(end + 1)
  }

  get row(): PathRow | null {
    if (this.#row === undefined) this.#row = rowIn(this.path)
    return this.#row
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
