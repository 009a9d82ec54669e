import { isOmitted, isSuccess } from '../http/messages.ts'
import { isBodyCut } from '../simulator/faults/fault.ts'
import { jsonSize, type RowChange } from '../simulator/journal/changes.ts'
import type { JournalChange } from '../simulator/journal/entry.ts'
import { type JournalRecord, keptLength } from '../simulator/journal/journal.ts'
import { decodeRequestBody, parseResponseBody } from '../simulator/journal/messages.ts'
import { requestLine } from '../simulator/journal/request-line.ts'
import { toJournalChange, toLine, type WrittenEntry } from '../simulator/journal/written-entry.ts'
import { isObject } from '../utils/json.ts'
import type { Redactor } from '../utils/redaction/redactor.ts'
import { type ExportedRow, isInFiles } from '../world/load/export-world.ts'
import { rowIdOf } from '../world/tables.ts'
import { type Address, type Fields, type ListPage, SeenRequest, toFields } from './seen-request.ts'
import { isSameValue, readFields, type StoredFields } from './stored-fields.ts'

const maxLineLength = 200

const none: readonly never[] = []

/** Of a request without its bodies, of a row of a page, which the world has, and of a body whose values take more than little. */
const [usualBytes, rowBytes, longBody] = [2_000, 16, 4_096]

export type ObservedEntry = Pick<
  WrittenEntry,
  'record' | 'client' | 'key' | 'test' | 'asked_for' | 'reason' | 'bytes' | 'parsed'
> & { readonly redactor: Redactor }

interface Place {
  /** What the request belongs to if no test is known, such as a sandbox */
  readonly owner?: string | null
  /** The index of the step that sent it. By default the id of its entry */
  readonly index?: number
  /** The status that a recorded client got, if a simulator refuses the request by its rules with another one */
  readonly recorded?: number | undefined
}

/** A request that a simulator got, and what only its journal knows. */
export class ClientRequest extends SeenRequest {
  /** What the entry is written from: to compare, and never to be shown */
  declare readonly record: JournalRecord
  readonly index: number
  /** The status that the recorded client got: 0 without a response */
  readonly recorded: number
  readonly test: string | null
  readonly isLost: boolean
  /** Whether the client got rows that the journal did not keep */
  readonly isUnread: boolean
  /** Whether the simulator answered it, without a fault */
  readonly isServed: boolean
  readonly #entry: ObservedEntry
  readonly #owner: string | null
  #changes: readonly WrittenRow[] | undefined
  #decoded: unknown
  #fields: StoredFields | undefined
  #received: unknown

  constructor(entry: ObservedEntry, { owner = null, index, recorded }: Place = {}, to?: Address) {
    const { record, client, test = null, parsed } = entry
    super(record, client, undefined, to)
    const { status } = this
    this.#entry = entry
    if (isObject(parsed?.value) && !parsed.isForm) this.#decoded = parsed
    this.index = index ?? record.id
    this.recorded = recorded ?? status
    this.test = test
    this.isServed = record.fault === null
    this.#owner = owner
    this.isLost = status === 0 || (!this.isServed && isBodyCut(record, entry.bytes.received))
    const isRead = status === 200 && !this.isLost && record.method !== 'HEAD'
    this.isUnread = isRead && isOmitted(record.response.body) && this.page === null
  }

  override get sent(): Fields {
    return toFields(this.#body)
  }

  get #body(): unknown {
    this.#decoded ??= decodeRequestBody(this.record)
    return Object(this.#decoded).value
  }

  override get received(): unknown {
    if (this.#received === undefined) this.#received = parseResponseBody(this.record)
    return this.#received
  }

  protected override shownPage(): ListPage | null {
    if (this.isLost) return null
    return (this.record.response.page as ListPage | undefined) ?? super.shownPage()
  }

  /** The body of the request as the API stores it, by which equal requests are told */
  get fields(): StoredFields {
    this.#fields ??= readFields(this.list ?? '', this.#body, this.record.settings)
    return this.#fields
  }

  get isSentKept(): boolean {
    return !isOmitted(this.record.requestBody)
  }

  get sentBytes(): number {
    return this.#entry.bytes.sent
  }

  /** The memory of what is kept of it, roughly: with the rows that it wrote, which pages have, too */
  get bytes(): number {
    const { requestBody, response, target, keptBytes } = this.record
    const { page, body } = response
    // A page is written from its rows when its body is read.
    const unwritten = page ? keptLength(body) - page.rows.length * rowBytes : 0
    const isLong = keptLength(requestBody) > longBody
    const parsed = isLong ? jsonSize(this.#body) + jsonSize(this.#received) : 0
    return usualBytes + target.length + keptBytes - unwritten + parsed
  }

  /** Whether `verify` expected its refusal */
  get isAskedFor(): boolean {
    return this.#entry.asked_for === true
  }

  /** Why it was refused, with masked keys, such as `400: the body is no JSON` */
  get reason(): string {
    return this.#entry.reason ?? `a ${this.status}`
  }

  get key(): string | null {
    return this.#entry.key?.label ?? null
  }

  /** Whether the recorded client got a complete success */
  get isOk(): boolean {
    return isSuccess(this.recorded) && !this.isLost
  }

  get sentPath(): string {
    return this.record.target.split('?')[0] ?? ''
  }

  /** What the request changed, field by field */
  get edits(): readonly JournalChange[] {
    return this.record.changes.map(toJournalChange)
  }

  /** What the request changed. Never shown as it is */
  get changes(): readonly WrittenRow[] {
    const { changes } = this.record
    this.#changes ??= changes.length === 0 ? none : changes.map((change) => new WrittenRow(change))
    return this.#changes
  }

  /** The row that it created in its list. Undefined for none */
  get created(): WrittenRow | undefined {
    return this.changes.find(({ isNew, list }) => isNew && list === this.list)
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

  /** Such as `entry 3 of the test that lists rows: 200 GET /api/projects/1/annotations/` */
  get line(): string {
    const { id, method, target: sent } = this.record
    const { redactor } = this.#entry
    const target = redactor.url(sent).slice(0, maxLineLength)
    const owner = this.test ?? this.#owner
    const whose = owner === null ? '' : ` of ${owner}`
    const cut = this.isLost && this.status > 0 ? ', cut' : ''
    return `entry ${id}${whose}: ${requestLine(this.status, method, target)}${cut}`
  }
}

/** Whether none of two requests was sent because of the response to the other one. */
export function isOverlapping(a: ClientRequest, b: ClientRequest): boolean {
  return a.isDuring(b) || b.isDuring(a)
}

/** A row that a request wrote. Never shown as it is. */
export class WrittenRow {
  readonly list: JournalChange['list']
  readonly id: JournalChange['id']
  readonly isNew: boolean
  /** Whether the request hid it from lists, or removed it */
  readonly isDeleted: boolean
  readonly #change: RowChange

  constructor(change: RowChange) {
    const { list, before, after } = change
    const { deleted: was } = Object(before)
    const { deleted: is } = Object(after)
    this.list = list
    this.id = rowIdOf(list, (after ?? before) as object)
    this.isNew = before === undefined
    this.isDeleted = after === undefined || (is === true && was !== true)
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
