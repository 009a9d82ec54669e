import { describeFailure, type Failure } from '../../http/failures.ts'
import {
  type ApiRequest,
  type ApiResponse,
  bodyLength,
  bodyText,
  isMultipartBody,
  isOmitted,
  type MessageBody,
} from '../../http/messages.ts'
import type { TrackedValues } from '../../settings/by-setting.ts'
import type { SettingId, SettingValues } from '../../settings/setting.ts'
import { BoundedQueue } from '../../utils/bounded-queue.ts'
import { rejectUnknownFields, unexpectedValue } from '../../utils/errors.ts'
import { utf8Length } from '../../utils/json.ts'
import type { Clock } from '../../world/clock/clock.ts'
import type { ChangeLog, RowChange } from './changes.ts'

/** The size of a journal. The oldest entries are evicted. */
export interface JournalLimits {
  /** The largest number of requests. 0 disables the journal. Defaults to 1,000 */
  readonly entries?: number
  /** The largest size in bytes. A body of more than a quarter of it is omitted. Defaults to 16 MiB */
  readonly bytes?: number
  /** Names of further headers, parameters and fields that are secret, without case */
  readonly redact?: readonly string[]
}

/** The latest requests to a sandbox, with their responses. */
export class Journal {
  readonly limits: Required<JournalLimits>
  /** The id of the latest request, which may still have no response. */
  lastId = 0
  /** Whether its sandbox ended. */
  isClosed = false
  readonly #records: BoundedQueue<JournalRecord>

  /** @throws UsageError for an invalid limit */
  constructor(limits: JournalLimits) {
    rejectUnknownFields(limits, ['entries', 'bytes', 'redact'], 'limit the journal')
    const { entries = 1_000, bytes = 16 * 1024 * 1024, redact = [] } = limits
    for (const [name, value] of Object.entries({ entries, bytes })) {
      if (Number.isInteger(value) && value >= 0) continue
      const expected = `${name} to be a whole number, 0 or greater`
      throw unexpectedValue('limit the journal', expected, value, undefined, `journal.${name}`)
    }
    this.limits = { entries, bytes, redact }
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
    this.#records.push(record, compactRecord(record, this.limits.bytes / 4))
  }

  /** The records, in the order of the responses. */
  get records(): JournalRecord[] {
    return this.#records.list()
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

/** The fault that matched a request, without its code, which may reference the request. */
export interface RecordedFault {
  /** The id of its rule */
  readonly id: string
  readonly phase: string
  readonly effect?: unknown
  /** The effects that changed the response, or when it arrives. */
  readonly effects: string[]
}

/** The sandbox of a record, when its request arrives. */
interface RecordSource {
  readonly clock: Clock
  readonly settingTracker: TrackedValues
  readonly restoreCount: number
  readonly changes: ChangeLog
}

/**
 * A request as the journal stores it: mostly references, so that storing is cheap. Entries are rendered on demand. It is
 * created when the request arrives, and completed in place, since a copy would double the cost.
 *
 * @note This is a class, like every object that is stored per request. If object literals survive several collections,
 * V8 allocates later ones directly in old space, where they keep everything that they reference alive until a full
 * collection.
 */
export class JournalRecord {
  // The constructor sets the declared fields.
  declare readonly id: number
  /** When the request arrived: milliseconds since 1970, by the clock of the sandbox */
  declare readonly at: number
  /** The number of changes of the world before the service answered the request */
  declare place: number
  /** How often all rows were replaced before the request */
  declare readonly restoreCount: number
  /** The operation id, or null for an unknown path */
  declare operation: string | null
  declare method: string
  /** The path and the query */
  declare target: string
  declare requestHeaders: ApiRequest['headers']
  requestBody: ApiRequest['body'] = null
  /** The time until the response, in milliseconds */
  ms = 0
  response: ApiResponse = emptyResponse
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
  fault: RecordedFault | null = null
  changes: readonly RowChange[] = noChanges

  constructor(
    id: number,
    operation: string | null,
    { method, target, headers }: Pick<ApiRequest, 'method' | 'target' | 'headers'>,
    { clock, settingTracker, restoreCount, changes }: RecordSource,
  ) {
    this.id = id
    this.at = clock.now()
    this.restoreCount = restoreCount
    this.place = changes.place
    this.operation = operation
    this.settings = settingTracker.untracked
    this.method = method
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
    this.settingReads = noReads
  }

  /**
   * Attaches the result of the service, setting reads and writes. If a fault rejects the request after it ran, the reads
   * of both are attached.
   */
  attach(
    { failure }: Pick<ApiResponse, 'failure'>,
    tracker: TrackedValues,
    changes: readonly RowChange[],
  ): void {
    if (this.settingReads !== noReads) {
      this.settingReads = [...this.settingReads, ...tracker.takeReads()]
      return
    }
    this.isAnswered = true
    this.failure = failure
    this.settingReads = tracker.takeReads()
    this.settings = tracker.untracked
    this.changes = changes
    // Last, since a sentence reads more settings than the response depends on.
    if (failure) this.refusal = describeFailure(failure)
  }
}

const emptyResponse: ApiResponse = { status: 0, headers: {}, body: null }
const noChanges: readonly RowChange[] = []
const noReads: readonly SettingId[] = []

/** The memory of a record without its texts and headers, in bytes. */
const recordOverhead = 600

/**
 * Prepares a record for storage, in place: copies slices of large buffers, and omits bodies over the limit in bytes.
 *
 * @returns the bytes of its bodies, headers and changes
 */
function compactRecord(record: JournalRecord, limit: number): number {
  const { target, requestHeaders, requestBody, response, changes } = record
  const sent = storedLength(requestBody, limit)
  const received = storedLength(response.body, limit)
  record.requestBody = compactBody(requestBody, sent, limit) as ApiRequest['body']
  const body = compactBody(response.body, received, limit)
  if (body !== response.body) record.response = { ...response, body }
  let bytes = recordOverhead + target.length + headerBytes(requestHeaders)
  for (const change of changes) bytes += change.bytes
  if (sent <= limit) bytes += isMultipartBody(requestBody) ? sent * 2 : sent
  if (received <= limit) bytes += received
  return bytes
}

/** The bytes of a body. Of a short text the number of its characters, as it takes about as much memory. */
function storedLength(body: MessageBody, limit: number): number {
  return (
    bodyLength(body, (text) => (text.length * 3 <= limit ? text.length : utf8Length(text))) ?? 0
  )
}

/** A slice may share a buffer that is at most this much larger, in bytes. Node reads a request into its own buffer. */
const sliceTolerance = 1_024

/** Returns a body that references little more memory than it shows. @param bytes its length */
function compactBody(body: MessageBody, bytes: number, limit: number): MessageBody {
  if (body === null || isOmitted(body)) return body
  if (bytes > limit) return { omitted: bytes }
  if (!(body instanceof Uint8Array)) return bodyText(body)
  // A small body may be a slice of a pool, and would keep the whole pool in memory.
  const isSlice = body.buffer.byteLength > bytes * 2 + sliceTolerance
  return isSlice ? new Uint8Array(body) : body
}

function headerBytes(headers: ApiRequest['headers']): number {
  let bytes = 0
  for (const [name, value] of headers.entries()) bytes += name.length + value.length
  return bytes
}
