import type { ApiRequest, ApiResponse } from '../../http/messages.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import type { PolicyReads, TrackedSettings } from '../../policies/tracked-settings.ts'
import {
  flattenString,
  type JsonPage,
  type JsonPageParts,
  joinPageParts,
  utf8Length,
} from '../../utils/json-text.ts'
import type { Clock } from '../../world/clock/clock.ts'
import type { RowChange } from '../history/history.ts'

/** What is kept of a request at the moment it is answered: references, so that keeping costs next to nothing. */
export interface JournalRecord {
  readonly id: number
  /** When it came, in milliseconds since 1970, by the clock of the sandbox. */
  readonly at: number
  /** How long the answer took, in milliseconds. */
  readonly ms: number
  /** The operation id; null for a path that nothing describes. */
  readonly operation: string | null
  readonly method: string
  /** The path and the query. */
  readonly target: string
  readonly requestHeaders: ApiRequest['headers']
  /** A text where all of it was read as one, else bytes. */
  readonly requestBody: string | Uint8Array | OmittedBody | null
  readonly response:
    | Pick<ApiResponse, 'status' | 'headers' | 'text' | 'ascii' | 'page'>
    | OmittedResponse
  /** Which policies were read; null for none. */
  readonly policyReads: PolicyReads | null
  /** The policies as they were set then. */
  readonly settings: PolicySettings
  readonly fault: RecordedFault | null
  readonly changes: readonly RowChange[]
}

/** What is kept of a fault: what it was, and not how it works, which may hold on to its request. */
export interface RecordedFault {
  readonly id: string
  readonly phase: string
  readonly effect?: unknown
}

/** In place of a body that is larger than the journal keeps: its length in bytes. */
export interface OmittedBody {
  readonly omitted: number
}

/** Whether a body was not kept. */
export function isOmitted(body: NonNullable<JournalRecord['requestBody']>): body is OmittedBody {
  return typeof body === 'object' && 'omitted' in body
}

type OmittedResponse = Pick<ApiResponse, 'status' | 'headers'> & OmittedBody

/**
 * Makes a record what is kept: what holds on to more memory than it shows is copied, and what is larger than the
 * limit is left out.
 *
 * @param limit the most bytes of a body
 */
export function compactRecord(record: PendingRecord, limit: number): void {
  const { requestBody, response, fault } = record
  record.requestBody = compactBody(requestBody, limit)
  record.response = compactResponse(response, limit)
  if (fault) record.fault = { id: fault.id, phase: fault.phase, effect: fault.effect }
}

/** In bytes: what a body may hold on to besides itself. Node reads a request into a buffer of its own. */
const sliceTolerance = 1_024

function compactBody(
  body: JournalRecord['requestBody'],
  limit: number,
): JournalRecord['requestBody'] {
  if (typeof body === 'string') return omitIfLarger(body, utf8Length(body), limit)
  if (!(body instanceof Uint8Array)) return body
  // Small bodies may be slices of a pool, which they would keep in memory whole.
  const isSlice = body.buffer.byteLength > body.length * 2 + sliceTolerance
  return omitIfLarger(isSlice ? new Uint8Array(body) : body, body.length, limit)
}

function omitIfLarger<T>(body: T, bytes: number, limit: number): T | OmittedBody {
  return bytes > limit ? { omitted: bytes } : body
}

function compactResponse(
  answer: JournalRecord['response'],
  limit: number,
): JournalRecord['response'] {
  if ('omitted' in answer) return answer
  const bytes = textBytes(answer)
  if (bytes > limit) return { status: answer.status, headers: answer.headers, omitted: bytes }
  if (answer.page) return new StoredPage(answer, answer.page)
  flattenString(answer.text)
  if (!('stream' in answer)) return answer
  const { status, headers, text, ascii } = answer
  return { status, headers, text, ascii }
}

/** What a record holds in memory besides what texts and headers take, in bytes. */
const recordOverhead = 600

/** How much memory a record holds, in bytes. */
export function recordSize({
  target,
  requestHeaders,
  requestBody,
  response,
  changes,
}: JournalRecord): number {
  const text =
    'omitted' in response
      ? 0
      : response instanceof StoredPage
        ? response.length
        : textBytes(response)
  let bytes =
    recordOverhead + target.length + headerBytes(requestHeaders) + bodyBytes(requestBody) + text
  for (const change of changes) bytes += change.bytes
  return bytes
}

function bodyBytes(body: JournalRecord['requestBody']): number {
  if (typeof body === 'string') return body.length * 2
  return body instanceof Uint8Array ? body.buffer.byteLength : 0
}

function headerBytes(headers: ApiRequest['headers']): number {
  if (headers.bytes !== undefined) return headers.bytes
  let bytes = 0
  for (const [name, value] of headers.entries()) bytes += name.length + value.length
  return bytes
}

/** Two for each character of a text that is not plain. */
function textBytes({ text, ascii }: { readonly text: string; readonly ascii: boolean }): number {
  return ascii ? text.length : text.length * 2
}

/** What a record is begun with. */
type RecordStart = Pick<JournalRecord, 'id' | 'at' | 'operation' | 'settings'>

/**
 * The record of a request that is on its way. It becomes the record itself: a copy would cost as much again.
 *
 * @note A class, as all that is kept for a while of each request: of literals that outlive some collections V8 makes
 * the next ones old at once, and what is old keeps all that it refers to until the whole heap is looked through.
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
    { id, at, operation, settings }: RecordStart,
    { method, target, headers }: Pick<ApiRequest, 'method' | 'target' | 'headers'>,
  ) {
    this.id = id
    this.at = at
    this.operation = operation
    this.settings = settings
    this.method = method
    this.target = target
    this.requestHeaders = headers
  }

  /** @param ms since it came */
  complete(
    { body, text }: Pick<ApiRequest, 'body' | 'text'>,
    given: ApiResponse,
    ms: number,
  ): this {
    this.requestBody = body === 'too_large' ? { omitted: this.#contentLength } : (text ?? body)
    this.response = given
    this.ms = ms
    return this
  }

  /** Notes what answering came to; of a request that was carried out and then refused, what both read. */
  attach(noted: TrackedSettings, changes: readonly RowChange[]): void {
    if (this.policyReads) {
      this.policyReads = this.policyReads.or(noted.takeReads())
      return
    }
    this.policyReads = noted.takeReads()
    this.settings = noted.untracked
    this.changes = changes
  }

  get #contentLength(): number {
    return Number(this.requestHeaders.get('content-length') ?? 0)
  }
}

/** What is known of a request when it comes. */
export function createPendingRecord(
  id: number,
  operation: string | null,
  call: Pick<ApiRequest, 'method' | 'target' | 'headers'>,
  { clock, policyTracker }: { readonly clock: Clock; readonly policyTracker: TrackedSettings },
): PendingRecord {
  return new PendingRecord(
    { id, at: clock.now(), operation, settings: policyTracker.untracked },
    call,
  )
}

const emptyResponse: JournalRecord['response'] = { status: 0, headers: {}, text: '', ascii: true }
const noChanges: readonly RowChange[] = []

/** An answer without its text, which is put together again when somebody asks. */
class StoredPage {
  readonly status: number
  readonly headers: ApiResponse['headers']
  readonly ascii: boolean
  readonly #pieces: JsonPageParts
  readonly #bytes: number

  constructor(
    { status, headers, text, ascii }: Pick<ApiResponse, 'status' | 'headers' | 'text' | 'ascii'>,
    { parts }: JsonPage<unknown>,
  ) {
    this.status = status
    this.headers = headers
    this.ascii = ascii
    this.#pieces = parts
    this.#bytes = text.length
  }

  get text(): string {
    return joinPageParts(this.#pieces)
  }

  /** Of the text, in characters. */
  get length(): number {
    return this.#bytes
  }
}
