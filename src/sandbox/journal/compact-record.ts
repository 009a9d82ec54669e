import type { ApiRequest, ApiResponse } from '../../http/messages.ts'
import {
  flattenString,
  type JsonPage,
  type JsonPageParts,
  joinPageParts,
  utf8Length,
} from '../../utils/json-text.ts'
import type { JournalRecord, OmittedBody, PendingRecord } from './record.ts'

/**
 * Prepares a record for storage, in place: copies slices of large buffers, and omits bodies over the limit.
 *
 * @param limit the largest body, in bytes
 */
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
  if (typeof body === 'string') return omitIfLarger(body, utf8Length(body), limit)
  if (!(body instanceof Uint8Array)) return body
  // A small body may be a slice of a pool, and would keep the whole pool in memory.
  const isSlice = body.buffer.byteLength > body.length * 2 + sliceTolerance
  return omitIfLarger(isSlice ? new Uint8Array(body) : body, body.length, limit)
}

function omitIfLarger<T>(body: T, bytes: number, limit: number): T | OmittedBody {
  return bytes > limit ? { omitted: bytes } : body
}

function compactResponse(
  response: JournalRecord['response'],
  limit: number,
): JournalRecord['response'] {
  if ('omitted' in response) return response
  const bytes = textBytes(response)
  if (bytes > limit) return { status: response.status, headers: response.headers, omitted: bytes }
  if (response.page) return new StoredPage(response, response.page)
  flattenString(response.text)
  if (!('stream' in response)) return response
  const { status, headers, text, ascii } = response
  return { status, headers, text, ascii }
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
  let bytes = recordOverhead + target.length + headerBytes(requestHeaders) + bodyBytes(requestBody)
  if (response instanceof StoredPage) bytes += response.length
  else if (!('omitted' in response)) bytes += textBytes(response)
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

/** Engines store two bytes per character, or one if all characters are ASCII. */
function textBytes({ text, ascii }: { readonly text: string; readonly ascii: boolean }): number {
  return ascii ? text.length : text.length * 2
}

/** A response that stores the rows of its page instead of its text. The text is joined again on demand. */
class StoredPage {
  readonly status: number
  readonly headers: ApiResponse['headers']
  readonly ascii: boolean
  /** The length of the text, in characters */
  readonly length: number
  readonly #parts: JsonPageParts

  constructor(
    { status, headers, text, ascii }: Pick<ApiResponse, 'status' | 'headers' | 'text' | 'ascii'>,
    { parts }: JsonPage<unknown>,
  ) {
    this.status = status
    this.headers = headers
    this.ascii = ascii
    this.length = text.length
    this.#parts = parts
  }

  get text(): string {
    return joinPageParts(this.#parts)
  }
}
