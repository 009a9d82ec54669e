import { describeFailure, type Failure } from '../../http/failures.ts'
import {
  type ApiRequest,
  type ApiResponse,
  bodyLength,
  bodyText,
  isOmitted,
  type MessageBody,
} from '../../http/messages.ts'
import type { OperationId } from '../../http/operation-id.ts'
import type { TrackedValues } from '../../settings/per-setting.ts'
import { type SettingId, type SettingValues, settingIds } from '../../settings/setting.ts'
import { BoundedQueue } from '../../utils/bounded-queue.ts'
import { rejectUnknownFields, unexpectedValue } from '../../utils/errors.ts'
import type { Clock } from '../../world/clock/clock.ts'
import type { EffectName, FaultInfo } from '../faults/fault.ts'
import type { ChangeLog, RowChange } from './changes.ts'

/** The size of a journal. The oldest entries are evicted. */
export interface JournalLimits {
  /** The largest number of requests. 0 disables the journal. Defaults to 1,000 */
  readonly entries?: number
  /** The largest size of all of them, in bytes. Defaults to 16 MiB */
  readonly bytes?: number
  /** The largest body that is kept, in bytes. Defaults to 64 KiB */
  readonly body?: number
  /** Names of further headers, parameters and fields that are secret, without case */
  readonly redact?: readonly string[]
}

/** The latest requests to one world, with their responses. */
export class Journal {
  readonly limits: Required<JournalLimits>
  /** The id of the latest request, which may still have no response. */
  lastId = 0
  /** Whether its world, that of a sandbox, ended. */
  isClosed = false
  /** The requests that have no response yet, because a fault delays them. */
  readonly waiting: Set<JournalRecord> = new Set()
  readonly #records: BoundedQueue<JournalRecord>

  /** @throws UsageError for an invalid limit */
  constructor(limits: JournalLimits) {
    rejectUnknownFields(limits, ['entries', 'bytes', 'body', 'redact'], 'limit the journal')
    const { entries = 1_000, bytes = 16 * 1024 * 1024, body = 65_536, redact = [] } = limits
    for (const [name, value] of Object.entries({ entries, bytes, body })) {
      if (Number.isInteger(value) && value >= 0) continue
      const expected = `${name} to be a whole number, 0 or greater`
      throw unexpectedValue('limit the journal', expected, value, undefined, `journal.${name}`)
    }
    this.limits = { entries, bytes, body, redact }
    this.#records = new BoundedQueue({ count: entries, bytes })
  }

  /** Whether the journal is disabled. */
  get isOff(): boolean {
    return this.limits.entries === 0
  }

  /** How many records were evicted since the journal was last cleared. */
  get evictedCount(): number {
    return this.#records.evictedCount
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

  /** @param record becomes the property of the journal */
  add(record: JournalRecord): void {
    record.position = this.position
    this.#records.push(record, storedBytes(record, this.limits.body))
  }

  /** Removes the bodies of a record that are too large to be kept. */
  trim(record: JournalRecord): void {
    const { requestBody, response } = record
    record.requestBody = keptBody(requestBody, this.limits.body) as ApiRequest['body']
    const body = keptBody(response.body, this.limits.body)
    if (body !== response.body) record.response = { ...response, body }
  }

  /** The records, in the order of the responses. */
  get records(): JournalRecord[] {
    return this.#records.list()
  }

  /** The records that got their response while another one waited for its own. */
  overlapping({ arrival, position }: JournalRecord): JournalRecord[] {
    return arrival < position ? this.#records.list(arrival, position) : []
  }

  /** The oldest record at a position or after it. */
  next(from: number): { readonly item: JournalRecord; readonly position: number } | null {
    return this.#records.next(from)
  }

  /** Removes all records. Ids are not reused. */
  clear(): void {
    this.#records.clear()
  }

  /** Frees the memory. */
  close(): void {
    this.isClosed = true
    this.#records.clear()
  }
}

/** The fault that matched a request. */
export interface RecordedFault extends Pick<FaultInfo, 'id' | 'phase' | 'effect'> {
  /** The effects that changed the response, or when it arrives. */
  readonly effects: EffectName[]
  /** Why an edit failed. */
  failure?: string
}

/** The parts of a state that a record is made from when its request arrives. */
interface RecordSource {
  readonly clock: Clock
  readonly settingTracker: TrackedValues
  readonly restoreCount: number
  readonly changes: ChangeLog
  readonly arrival: number
}

/**
 * A request as the journal stores it: mostly references, so that storing is cheap. Entries are rendered on demand. It is
 * created when the request arrives, and completed in place, since a copy would double the cost.
 */
export class JournalRecord {
  // The constructor sets the declared fields.
  declare readonly id: number
  /** When the request arrived: milliseconds since 1970, by the clock of its world */
  declare readonly at: number
  /** The number of changes of the world before the service answered the request */
  declare place: number
  /** The position in the journal when the request arrived, and its own */
  declare readonly arrival: number
  position = 0
  /** How often all rows were replaced before the request */
  declare readonly restoreCount: number
  /** The operation id, or null for an unknown path or method */
  declare operation: OperationId | null
  declare method: string
  /** Absolute, as the client addressed it, without a fragment */
  declare readonly url: string
  /** The path and the query */
  declare target: string
  declare requestHeaders: ApiRequest['headers']
  requestBody: ApiRequest['body'] = null
  /** The time until the response, in milliseconds */
  ms = 0
  response: ApiResponse = emptyResponse
  /** Whether the response is that of a recording, and not the one to the rows of the world */
  isReplaced = false
  /** Whether the service answered, and not a fault in its place */
  isAnswered = false
  /** The settings that were read */
  settingReads: readonly SettingId[] = noReads
  /** All settings at the time of the request */
  declare settings: SettingValues
  /** Why the service refused the request, also if a fault replaced the response */
  failure: Failure | undefined
  /** The sentence of the check that refused the request, keys included */
  refusal: string | undefined
  /** The parameters and fields that the API did not read, with keys in full */
  ignored: readonly string[] = noTexts
  fault: RecordedFault | null = null
  changes: readonly RowChange[] = noChanges

  constructor(
    id: number,
    operation: OperationId | null,
    { method, url, target, headers }: Pick<ApiRequest, 'method' | 'url' | 'target' | 'headers'>,
    { clock, settingTracker, restoreCount, changes, arrival: now }: RecordSource,
    arrival: number = now,
  ) {
    this.id = id
    this.arrival = arrival
    this.at = clock.now()
    this.restoreCount = restoreCount
    this.place = changes.place
    this.operation = operation
    this.settings = settingTracker.untracked
    this.method = method
    this.url = url.split('#', 1)[0] as string
    this.target = target
    this.requestHeaders = headers
  }

  /** @param ms the time since the request arrived */
  complete({ body }: Pick<ApiRequest, 'body'>, response: ApiResponse, ms: number): this {
    this.requestBody = body
    this.response = response
    this.ms = ms
    return this
  }

  /** Forgets why the service responded: the response is another one. */
  replaceResult(): void {
    this.failure = undefined
    this.refusal = undefined
    this.ignored = noTexts
    this.settingReads = noReads
  }

  /** The settings that the response depends on, in the order of all settings. */
  get usedSettings(): readonly SettingId[] {
    return settingIds.filter((id) => this.settingReads.includes(id))
  }

  /**
   * Attaches the result of the service, setting reads and writes. If a fault rejects the request after it ran, the reads
   * of both are attached.
   */
  attach(
    { status, failure }: Pick<ApiResponse, 'status' | 'failure'>,
    tracker: TrackedValues,
    changes: readonly RowChange[],
    describeIgnored: () => readonly string[] = () => noTexts,
  ): void {
    if (this.isAnswered) {
      this.settingReads = [...this.settingReads, ...tracker.takeReads()]
      return
    }
    this.isAnswered = true
    this.failure = failure
    this.settingReads = tracker.takeReads()
    this.settings = tracker.untracked
    this.changes = changes
    // Last, since sentences read more settings than the response depends on.
    if (failure) this.refusal = describeFailure(failure)
    // A request that was refused for another reason than its input may have been read in part.
    if (status <= 400) this.ignored = describeIgnored()
  }
}

const emptyResponse: ApiResponse = { status: 0, headers: {}, body: null }
const noChanges: readonly RowChange[] = []
const noReads: readonly SettingId[] = []
const noTexts: readonly string[] = []

/** The memory of a record without its texts and headers, in bytes. */
const recordOverhead = 600

/** The memory of a row of a page, in bytes: the row itself belongs to the world. */
const referenceBytes = 8

/** The memory of a record, in bytes: its bodies, headers and changes. */
function storedBytes(record: JournalRecord, limit: number): number {
  const { url, requestHeaders, requestBody, response, changes } = record
  let bytes = recordOverhead + url.length + headerBytes(requestHeaders)
  for (const change of changes) bytes += change.bytes
  bytes += (response.page?.rows.length ?? 0) * referenceBytes
  for (const body of [requestBody, response.body]) {
    const length = lengthOf(body)
    if (length <= limit) bytes += length
  }
  return bytes
}

/** The length of a body; of a text the number of its characters, which take about as much memory as its bytes. */
function lengthOf(body: MessageBody): number {
  return bodyLength(body, (text) => text.length) ?? 0
}

/** A body that references little more memory than it shows, or its length if that is over the limit. */
function keptBody(body: MessageBody, limit: number): MessageBody {
  if (body === null || isOmitted(body)) return body
  if (lengthOf(body) > limit) return { omitted: bodyLength(body) ?? 0 }
  if (!(body instanceof Uint8Array)) return bodyText(body)
  // A slice would keep the whole buffer in memory.
  return body.buffer.byteLength > body.length ? new Uint8Array(body) : body
}

function headerBytes(headers: ApiRequest['headers']): number {
  let bytes = 0
  for (const [name, value] of headers.entries()) bytes += name.length + value.length
  return bytes
}
