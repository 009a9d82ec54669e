import type { ApiRequest, ApiResponse } from '../../http/messages.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import type { PolicyReads, TrackedSettings } from '../../policies/tracked-settings.ts'
import { stringSize } from '../../utils/bounded-queue.ts'
import { JsonPage } from '../../utils/json-page.ts'
import { flattenString, type TextSource, utf8Length } from '../../utils/json-text.ts'
import type { Clock } from '../../world/clock/clock.ts'
import type { RowChange } from '../history/history.ts'

/** A request as the journal stores it: mostly references, so that storing is cheap. Entries are rendered on demand. */
export interface JournalRecord {
  readonly id: number
  /** When the request arrived: milliseconds since 1970, by the clock of the sandbox */
  readonly at: number
  /** The time until the response, in milliseconds */
  readonly ms: number
  /** The operation id, or null for an unknown path */
  readonly operation: string | null
  readonly method: string
  /** The path and the query */
  readonly target: string
  readonly requestHeaders: ApiRequest['headers']
  /** Text if the endpoint decoded the body without loss, else bytes */
  readonly requestBody: string | Uint8Array | OmittedBody | null
  readonly response:
    | Pick<ApiResponse, 'status' | 'headers' | 'text' | 'ascii' | 'page' | 'source'>
    | OmittedResponse
  /** The policies that were read, or null for none */
  readonly policyReads: PolicyReads | null
  /** All policies at the time of the request */
  readonly settings: PolicySettings
  readonly fault: RecordedFault | null
  readonly changes: readonly RowChange[]
}

/** The fault that was applied, without its code, which may reference the request. */
export interface RecordedFault {
  /** The id of its rule */
  readonly id: string
  readonly phase: string
  readonly effect?: unknown
}

/** Replaces a body that is too large to store. */
interface OmittedBody {
  /** The length of the body, in bytes */
  readonly omitted: number
}

type OmittedResponse = Pick<ApiResponse, 'status' | 'headers'> & OmittedBody

/** Whether a request body was too large to store. */
export function isOmitted(body: JournalRecord['requestBody']): body is OmittedBody {
  return typeof body === 'object' && body !== null && 'omitted' in body
}

/**
 * The record of a request that is still being handled. It becomes the stored record itself, since a copy would double
 * the cost.
 *
 * @note This is a class, like every object that is stored per request. If object literals survive several collections,
 * V8 allocates later ones directly in old space, where they keep everything that they reference alive until a full
 * collection.
 */
export class PendingRecord implements JournalRecord {
  readonly id: number
  readonly at: number
  readonly operation: string | null
  readonly method: string
  readonly target: string
  readonly requestHeaders: ApiRequest['headers']
  requestBody: JournalRecord['requestBody'] = null
  ms = 0
  response: JournalRecord['response'] = emptyResponse
  policyReads: PolicyReads | null = null
  settings: PolicySettings
  fault: RecordedFault | null = null
  changes: readonly RowChange[] = noChanges

  constructor(
    id: number,
    operation: string | null,
    { method, target, headers }: Pick<ApiRequest, 'method' | 'target' | 'headers'>,
    { clock, policyTracker }: { readonly clock: Clock; readonly policyTracker: TrackedSettings },
  ) {
    this.id = id
    this.at = clock.now()
    this.operation = operation
    this.settings = policyTracker.untracked
    this.method = method
    this.target = target
    this.requestHeaders = headers
  }

  /** @param ms the time since the request arrived */
  complete(
    { body, text }: Pick<ApiRequest, 'body' | 'text'>,
    response: ApiResponse,
    ms: number,
  ): this {
    const contentLength = Number(this.requestHeaders.get('content-length') ?? 0)
    this.requestBody = body === 'too_large' ? { omitted: contentLength } : (text ?? body)
    this.response = response
    this.ms = ms
    return this
  }

  /** Attaches policy reads and writes. If a fault rejects the request after it ran, the reads of both are attached. */
  attach(tracker: TrackedSettings, changes: readonly RowChange[]): void {
    if (this.policyReads) {
      this.policyReads = this.policyReads.or(tracker.takeReads())
      return
    }
    this.policyReads = tracker.takeReads()
    this.settings = tracker.untracked
    this.changes = changes
  }
}

const emptyResponse: JournalRecord['response'] = { status: 0, headers: {}, text: '', ascii: true }
const noChanges: readonly RowChange[] = []

/** Prepares a record for storage, in place: copies slices of large buffers, and omits bodies over the limit in bytes */
export function compactRecord(record: PendingRecord, limit: number): void {
  const { requestBody, response, fault } = record
  record.requestBody = compactBody(requestBody, limit)
  record.response = compactResponse(response, limit)
  if (fault) record.fault = { id: fault.id, phase: fault.phase, effect: fault.effect }
}

/** A slice may share a buffer that is at most this much larger, in bytes. Node reads a request into its own buffer. */
const sliceTolerance = 1_024

function compactBody(
  body: JournalRecord['requestBody'],
  limit: number,
): JournalRecord['requestBody'] {
  if (body === null || isOmitted(body)) return body
  const bytes = typeof body === 'string' ? utf8Length(body) : body.length
  if (bytes > limit) return { omitted: bytes }
  // A small body may be a slice of a pool, and would keep the whole pool in memory.
  const isSlice =
    typeof body !== 'string' && body.buffer.byteLength > body.length * 2 + sliceTolerance
  return isSlice ? new Uint8Array(body) : body
}

function compactResponse(
  response: JournalRecord['response'],
  limit: number,
): JournalRecord['response'] {
  if ('omitted' in response) return response
  const { status, headers, page } = response
  if (page && page.bytes > limit) return { status, headers, omitted: page.bytes }
  const memory = page?.memory ?? 0
  if (page && memory <= page.bytes * 4) return new StoredText(response, page, memory)
  const { text, ascii, source } = response
  const bytes = textBytes(text, ascii)
  if (bytes > limit) return { status, headers, omitted: bytes }
  if (source) return new StoredText(response, source, bytes)
  flattenString(text)
  return page || 'stream' in response ? { status, headers, text, ascii } : response
}

/** The beginning of the text of a response. For a page: everything before its rows. */
export function responseHead({ response }: JournalRecord): string {
  if (response instanceof StoredText && response.source instanceof JsonPage)
    return response.source.head
  return 'omitted' in response ? '' : response.text.slice(0, 1_000)
}

/** The memory of a record without its texts and headers, in bytes. */
const recordOverhead = 600

/** Estimates the memory of a record, in bytes. */
export function recordSize({
  target,
  requestHeaders,
  requestBody,
  response,
  changes,
}: JournalRecord): number {
  let bytes = recordOverhead + target.length + headerBytes(requestHeaders)
  if (typeof requestBody === 'string') bytes += stringSize(requestBody)
  else if (requestBody instanceof Uint8Array) bytes += requestBody.buffer.byteLength
  if (response instanceof StoredText) bytes += response.memory
  else if (!('omitted' in response)) bytes += textBytes(response.text, response.ascii)
  for (const change of changes) bytes += change.bytes
  return bytes
}

function headerBytes(headers: ApiRequest['headers']): number {
  if (headers.bytes !== undefined) return headers.bytes
  let bytes = 0
  for (const [name, value] of headers.entries()) bytes += name.length + value.length
  return bytes
}

/** Engines store two bytes per character, or one if all characters are ASCII. */
function textBytes(text: string, ascii: boolean): number {
  return ascii ? text.length : text.length * 2
}

/** A response that stores what its text is written from: rows instead of a text. The text is written on demand. */
class StoredText {
  readonly status: number
  readonly headers: ApiResponse['headers']
  readonly ascii: boolean
  readonly source: TextSource
  /** In bytes. That of a row counts like its text, since its row can be stored for this response alone. */
  readonly memory: number

  constructor(
    { status, headers, ascii }: Pick<ApiResponse, 'status' | 'headers' | 'ascii'>,
    source: TextSource,
    memory: number,
  ) {
    this.status = status
    this.headers = headers
    this.ascii = ascii
    this.source = source
    this.memory = memory
  }

  get text(): string {
    return this.source.text
  }
}
