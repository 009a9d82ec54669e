import * as z from 'zod'
import type { ApiWorld } from '../../http/endpoint.ts'
import { Failure } from '../../http/failures.ts'
import type { IgnoredInput } from '../../http/ignored-input.ts'
import {
  type ApiRequest,
  type ApiResponse,
  bodyLength,
  isOmitted,
  type MessageBody,
  networkErrorResponse,
  withBody,
} from '../../http/messages.ts'
import type { OperationId } from '../../http/operation-id.ts'
import type { SettingReads, SettingValues } from '../../settings/setting.ts'
import { JsonText, type Mutable } from '../../utils/json.ts'
import { LatestMap } from '../../utils/latest-map.ts'
import { listOf } from '../../utils/options.ts'
import { formatCount } from '../../utils/text.ts'
import type { EffectName, FaultInfo } from '../faults/fault.ts'
import { BoundedQueue, type Keeper, type RowChange, type Take } from './changes.ts'

export const journalSchema = z.strictObject({
  /** The largest number of requests. 0 disables the journal. Defaults to 1,000 */
  entries: z.int().min(0).exactOptional(),
  /** The largest size of all of them, in bytes. Defaults to 16 MiB */
  bytes: z.int().min(0).exactOptional(),
  /** The largest body that is kept, in bytes. Defaults to 64 KiB */
  body: z.int().min(0).exactOptional(),
  /** Names of further headers, parameters and fields that are secret, without case */
  redact: listOf(z.string()).readonly().exactOptional(),
})

/** The size of a journal. The oldest entries are evicted. */
export interface JournalLimits extends z.infer<typeof journalSchema> {}

/** The latest requests to one world, with their responses. */
export class Journal {
  readonly limits: Required<JournalLimits>
  /** The id of the latest request, which may still have no response. */
  lastId = 0
  /** Whether its world, that of a sandbox, ended. */
  isClosed = false
  readonly waiting: Set<DelayedRequest> = new Set()
  /** The ids of refused requests that `verify` expected by their status, so that their clients made no mistake */
  readonly askedFor: LatestMap<number, true> = new LatestMap(10_000)
  readonly #records: BoundedQueue<JournalRecord>

  constructor(limits: JournalLimits, register: (keeper: Keeper) => Take) {
    const { entries = 1_000, bytes = 16 * 1024 * 1024, body = 65_536, redact = [] } = limits
    this.limits = { entries, bytes, body, redact }
    this.#records = new BoundedQueue({ count: entries, bytes }, register)
  }

  get isOff(): boolean {
    return this.limits.entries === 0
  }

  get evictedCount(): number {
    return this.#records.evictedCount
  }

  /** Says in a sentence that earlier requests are no longer there. Empty if all are */
  get cut(): string {
    const count = formatCount(this.evictedCount, 'earlier request was', 'earlier requests were')
    return this.evictedCount === 0 ? '' : `${count} evicted from the journal.`
  }

  /** The position of the next record. Positions follow the order of the responses. */
  get position(): number {
    return this.#records.nextPosition
  }

  /** Returns the id of the next request. Ids are never reused. */
  nextId(): number {
    this.lastId += 1
    return this.lastId
  }

  /** Adds a record. Its bodies reference little more memory than they show, and those over the limit are left out. */
  add(record: JournalRecord): void {
    const kept = record.within(this.limits.body)
    this.#records.push(kept, storedBytes(kept))
  }

  /** The records, in the order of the responses. */
  get records(): JournalRecord[] {
    return this.#records.list()
  }

  /** The oldest record at a position or after it. */
  next(from: number): { readonly item: JournalRecord; readonly position: number } | null {
    return this.#records.next(from)
  }

  clear(): void {
    this.#records.clear()
  }

  close(): void {
    this.isClosed = true
    this.#records.clear()
  }
}

export interface FaultRecord extends Pick<FaultInfo, 'id' | 'phase' | 'effect'> {
  /** The effects that changed the response, or when it arrives. */
  readonly effects: EffectName[]
  /** The rows that its edit changed */
  changes?: readonly RowChange[]
  failure?: string
}

/** A request that has no response yet, because a fault delays it. */
export interface DelayedRequest extends JournalRecord {
  readonly fault: FaultRecord
}

interface RecordingWorld extends Pick<ApiWorld, 'clock' | 'settings'> {
  readonly journal: Journal
  readonly changes: { readonly index: number }
  readonly replaceCount: number
}

/**
 * A request as the journal stores it: mostly references, so that storing is cheap. Entries are written on demand.
 *
 * @note A class, as all that is kept of each request: the engine soon puts object literals that live for a while into memory
 * that it rarely collects, and all that they reference with them.
 */
export class JournalRecord {
  readonly id: number
  /** When the request arrived: milliseconds since 1970, by the clock of its world */
  readonly at: number
  readonly isTimed: boolean
  readonly arrival: Arrival
  readonly position: number
  /** The time until the response, in milliseconds with three digits */
  readonly ms: number = 0
  readonly operation: OperationId | null = null
  readonly method: string
  /** Absolute, as the client addressed it */
  readonly url: string
  readonly target: string
  readonly requestHeaders: ApiRequest['headers']
  /** The key of the request, in full */
  readonly sentKey: string | undefined
  readonly requestBody: ApiRequest['body'] = null
  readonly response: ApiResponse = networkErrorResponse
  /** All settings when the response was made */
  readonly settings: SettingValues
  readonly settingReads: SettingReads
  /** How often all rows were replaced before the request */
  readonly replaceCount: number
  /** The number of changes of the world before the service answered the request */
  readonly changeIndex: number
  readonly changes: readonly RowChange[] = none
  /** Why the service refused the request, also if a fault replaced the response */
  readonly failure: Failure | undefined
  /** The sentence of the check that refused the request, keys included */
  readonly refusal: string | undefined
  /** The parameters and fields that the API did not read, with keys in full */
  readonly ignored: readonly IgnoredInput[] = none
  readonly fault: FaultRecord | null = null

  constructor(
    request: Omit<ApiRequest, 'body'>,
    world: RecordingWorld,
    arrival: Arrival,
    reads: SettingReads,
  ) {
    const { method, url, target, headers } = request
    const { journal, clock } = world
    this.id = journal.nextId()
    this.at = clock.now()
    this.isTimed = clock.mode !== 'frozen'
    this.arrival = arrival
    this.position = journal.position
    this.method = method
    this.url = url
    this.target = target
    this.requestHeaders = headers
    this.settings = world.settings
    this.settingReads = reads
    this.replaceCount = world.replaceCount
    this.changeIndex = world.changes.index
  }

  /**
   * Gets the response. From now on the record references little more memory than it shows: no buffers that its bodies are
   * slices of, and no long texts that the client chose. A sentence quotes what the client sent, and a failure can make it
   * again from the request, which it then keeps.
   */
  settle(this: Mutable<JournalRecord>, response: ApiResponse): void {
    const { requestBody, refusal, failure, ignored } = this
    this.requestBody = compactBody(requestBody)
    this.response = withBody(response, compactBody(response.body))
    if (refusal !== undefined) this.refusal = shorten(refusal)
    if (failure) this.failure = withoutTexts(failure, isLong(refusal) || isLong(failure.detail))
    if (ignored.length > 0) this.ignored = ignored.map(shortenInput)
  }

  /** The record without bodies that are longer than so many bytes. A copy, if it has one */
  within(limit: number): JournalRecord {
    const { requestBody, response } = this
    const [request, body] = [bodyWithin(requestBody, limit), bodyWithin(response.body, limit)]
    if (request === requestBody && body === response.body) return this
    return JournalRecord.of({ ...this, requestBody: request, response: withBody(response, body) })
  }

  /** The memory of its bodies and of the rows that it wrote, in bytes */
  get keptBytes(): number {
    const { requestBody, response, changes, fault } = this
    let bytes = keptLength(requestBody) + keptLength(response.body)
    for (const change of changes) bytes += change.bytes
    for (const change of fault?.changes ?? none) bytes += change.bytes
    return bytes
  }

  static of(parts: Omit<JournalRecord, 'settle' | 'within' | 'keptBytes'>): JournalRecord {
    // Copied into an object with this prototype, they would take six times as long.
    return Object.setPrototypeOf({ ...parts }, JournalRecord.prototype)
  }
}

/** The memory of a record without its texts and headers, in bytes. */
const recordOverhead = 600

/** The memory of a row of a page, in bytes: the row itself belongs to the world. */
const referenceBytes = 8

function storedBytes(record: JournalRecord) {
  const { method, url, target, requestHeaders, response } = record
  const { arrival, refusal = '', ignored } = record
  let bytes = recordOverhead + record.keptBytes
  bytes += method.length + url.length + target.length + refusal.length
  for (const [name, value] of requestHeaders.entries()) bytes += name.length + value.length
  for (const { name, value = '' } of ignored) bytes += name.length + value.length
  const references = (response.page?.rows.length ?? 0) + arrival.unsent.length
  return bytes + references * referenceBytes
}

/** Longer sentences are cut. An entry shows 300 characters of each. */
const maxText = 4_096

function isLong(text = '') {
  return text.length > maxText
}

/** A copy: a part of a text keeps the whole in memory. */
function shorten(text: string) {
  return isLong(text) ? structuredClone(text.slice(0, maxText)) : text
}

function shortenInput({ name, value, ...input }: IgnoredInput): IgnoredInput {
  const shortened = { ...input, name: shorten(name) }
  return value === undefined ? shortened : { ...shortened, value: shorten(value) }
}

function withoutTexts({ name, detail, details }: Failure, isLong: boolean) {
  const { isRowMissing = false } = details
  if (isLong) return new Failure(name, undefined, { isRowMissing })
  return new Failure(name, detail, { ...details, reason: undefined })
}

/** The length of a body, in bytes. 0 for one that is not kept */
export function keptLength(body: MessageBody): number {
  return isOmitted(body) ? 0 : (bodyLength(body) ?? 0)
}

function bodyWithin<Body extends MessageBody>(body: Body, limit: number) {
  const length = keptLength(body)
  return length > limit ? { omitted: length } : body
}

function compactBody<Body extends MessageBody>(body: Body) {
  if (body instanceof JsonText) return body.withoutParts() as JsonText<unknown> & Body
  const isSlice = ArrayBuffer.isView(body) && body.buffer.byteLength > body.length
  return isSlice ? (new Uint8Array(body) as Uint8Array & Body) : body
}

/** A client that opens a connection sends its first request within so many ms. A browser opens some that it may never need. */
const maxLead = 1_000

/** How many responses are remembered that were sent: each new connection looks through them. */
const maxSent = 100

/** Which responses of a world its clients have: those that were sent. */
export class Deliveries {
  readonly #journal: { readonly position: number }
  /** The positions of the responses that are on their way */
  readonly #sending: number[] = []
  /** The positions of others that were sent, and when. The earliest first. Maps would be copied again and again */
  readonly #sent: number[] = []
  readonly #sentAt: number[] = []

  /** @param journal knows the position of the next response */
  constructor(journal: { readonly position: number }) {
    this.#journal = journal
  }

  /**
   * Which responses the client of a request does not have yet: it did not send the request because of them.
   *
   * @param began when the client began to send it, as `performance.now()`. By default now
   */
  arrive(began?: number): Arrival {
    const { position } = this.#journal
    const sending = this.#sending
    const first = sending[0] ?? position
    // To count those right before the next one as later ones takes less memory than a list of them.
    if (began === undefined && first === position - sending.length) return new Arrival(first, none)
    if (began === undefined) return new Arrival(position, sending.slice())
    const since = Math.max(began, performance.now() - maxLead)
    const sent = this.#sent.filter((_, index) => (this.#sentAt[index] as number) >= since)
    return new Arrival(position, [...sending, ...sent])
  }

  /** Says that a response is on its way. @returns a function to call when it has been sent */
  depart(position: number): () => void {
    this.#sending.push(position)
    return () => {
      const now = performance.now()
      this.#sending.splice(this.#sending.indexOf(position), 1)
      this.#sent.push(position)
      this.#sentAt.push(now)
      while ((this.#sentAt[0] as number) < now - maxLead || this.#sent.length > maxSent) {
        this.#sent.shift()
        this.#sentAt.shift()
      }
    }
  }
}

/** What a client did not have when it sent a request, by the positions of responses. */
export class Arrival {
  /** None from this one on */
  readonly position: number
  /** Earlier ones that were still on their way */
  readonly unsent: readonly number[]

  constructor(position: number, unsent: readonly number[]) {
    this.position = position
    this.unsent = unsent
  }
}

const none: readonly never[] = []
