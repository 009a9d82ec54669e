import type { RowChange } from '../history/history.ts'
import type { ApiRequest, ApiResponse } from '../http/call.ts'
import type { PolicyReads } from '../policies/noted.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { flattenString, utf8Length } from '../wire.ts'
import type { PendingRecord } from './draft.ts'
import { StoredPage } from './kept-page.ts'

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
