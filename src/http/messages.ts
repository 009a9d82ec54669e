import type { SettingValues } from '../settings/setting.ts'
import { JsonText, toJsonText, utf8Length } from '../utils/json.ts'
import type { OnAbort } from '../utils/wait.ts'
import { Failure, type FailureDetails, failureFormats, toApiError } from './failures.ts'

/** A request, independent of the transport. */
export interface ApiRequest {
  readonly method: string
  /** Absolute, as the client addressed it. The links of a page are built from it. */
  readonly url: string
  readonly target: string
  readonly query: string
  readonly headers: RequestHeaders
  readonly body: RequestBody
  /** Why its client could not send the body: it gets no response */
  readonly brokenOff?: string | undefined
  /** When its client began to send it, as `performance.now()`. By default when it arrives */
  readonly began?: number | undefined
  /**
   * Registers a listener that is called if the client disconnects before the response is complete. Returns a function
   * that removes the listener.
   */
  onAbort?(listener: () => void): () => void
  /** Registers a listener that is called when the response has been sent. By default that is when there is one. */
  onSent?(listener: () => void): void
  /** Takes room for so many bytes until the response has been sent. Returns false if there is none */
  hold?(bytes: number): boolean
}

/** The bytes of a request, the length of a body beyond the limit, or null for none. */
export type RequestBody = Uint8Array | OmittedBody | null

export interface RequestHeaders {
  get(name: string): string | null
  entries(): Iterable<[string, string]>
}

/** The part of a request that is known before its body. */
export type RequestHead = Pick<ApiRequest, 'url' | 'headers' | 'began'>

/** The body of a message: a text, bytes, a stream, the length of a body that is too large, or null for none. */
export type MessageBody =
  | string
  | JsonText<unknown>
  | Uint8Array
  | ReadableStream<Uint8Array>
  | OmittedBody
  | null

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

interface OmittedBody {
  /** The length of the body, in bytes */
  readonly omitted: number
}

export function isOmitted(body: MessageBody): body is OmittedBody {
  return isOther(body) && 'omitted' in body
}

export function isStream(body: unknown): body is ReadableStream<Uint8Array> {
  return isOther(body) && 'getReader' in body
}

/** Whether a body is neither a text nor bytes: to look for a property in these would take longer. */
function isOther(body: unknown): body is object {
  return (
    typeof body === 'object' &&
    body !== null &&
    !(body instanceof JsonText) &&
    !ArrayBuffer.isView(body)
  )
}

const decoder = new TextDecoder()

/** The text of a body. Empty for none, and for a body that is not stored. */
export function bodyText(body: MessageBody): string {
  if (typeof body === 'string') return body
  if (body instanceof JsonText) return body.text
  return ArrayBuffer.isView(body) ? decoder.decode(body) : ''
}

/** The length of a body in bytes, or undefined for a stream. */
export function bodyLength(body: MessageBody): number | undefined {
  if (body === null) return 0
  if (typeof body === 'string') return utf8Length(body)
  if (body instanceof JsonText) return body.bytes
  if (ArrayBuffer.isView(body)) return body.length
  return isOmitted(body) ? body.omitted : undefined
}

/**
 * Waits before the byte at an offset is sent.
 *
 * @param onAbort ends the wait when the client has gone
 * @returns the offset before which the next part ends. Null to break the connection
 */
export type Pace = (sent: number, onAbort: OnAbort) => Promise<number | null>

export type PageLinks = Pick<ShownPage, 'next' | 'previous'>

/** What a page of a list shows. Rows are never changed in place, so that to keep them costs next to nothing. */
export class ShownPage {
  readonly rows: readonly { readonly id: number }[]
  readonly next: string | null
  readonly previous: string | null
  /** The id of the row before the first one. Only if there is one */
  readonly before: number | undefined

  constructor(rows: ShownPage['rows'], { next, previous }: PageLinks, before?: number) {
    this.rows = rows
    this.next = next
    this.previous = previous
    this.before = before
  }
}

/** A response, independent of the transport. It can be spread, to change a part of it. */
export interface ApiResponse {
  /** 0 for a network error in place of a response, as in fetch. */
  readonly status: number
  /** By lowercase name. `content-length` follows from the body: see `sentHeaders`. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: MessageBody
  /** The connection breaks after so many bytes of the body. */
  readonly cutAfter?: number
  /** Makes the body come in parts. By default all of it is sent at once. */
  readonly pace?: Pace | undefined
  /** Why the service refused the request. */
  readonly failure?: Failure | undefined
  /** What a page shows, for the rules about clients: the journal keeps no large body */
  readonly page?: ShownPage | undefined
}

/** Whether a fault lets the body of a response come in parts, or breaks off within it. */
export function isBodyFaulty({ cutAfter, pace }: ApiResponse): boolean {
  return cutAfter !== undefined || pace !== undefined
}

/** The headers of a response as they are sent: with `content-length`, if it is known and the status has one. */
export function sentHeaders({ status, headers, body }: ApiResponse): ApiResponse['headers'] {
  const isHidden = status === 0 || status === 204 || status === 304
  const bytes = isHidden ? undefined : bodyLength(body)
  if (bytes === undefined) return headers
  const { 'content-type': type } = headers
  const sent: Record<string, string> = type === undefined ? {} : { 'content-type': type }
  sent['content-length'] = String(bytes)
  for (const name in headers) sent[name] = headers[name] as string
  return sent
}

/** The value of `Access-Control-Expose-Headers`: what a page of another origin can read. */
export const exposedHeaders = 'allow,location,retry-after,understudy-nearest,www-authenticate'

const jsonHeaders: ApiResponse['headers'] = { 'content-type': 'application/json' }

export function jsonResponse(
  status: number,
  body: string | JsonText<unknown>,
  headers?: Readonly<Record<string, string>>,
  page?: ShownPage,
): ApiResponse {
  return new JsonResponse(
    status,
    headers ? { ...jsonHeaders, ...headers } : jsonHeaders,
    body,
    page,
  )
}

/** What is kept of a response: without its failure, and what a fault does with its body. */
export function withBody(response: ApiResponse, body: MessageBody): ApiResponse {
  const { status, headers, page } = response
  const isSame = response instanceof JsonResponse && response.body === body
  return isSame ? response : new JsonResponse(status, headers, body, page)
}

class JsonResponse implements ApiResponse {
  readonly status: number
  readonly headers: ApiResponse['headers']
  readonly body: MessageBody
  readonly page: ShownPage | undefined

  constructor(
    ...[status, headers, body, page]: [number, ApiResponse['headers'], MessageBody, ShownPage?]
  ) {
    this.status = status
    this.headers = headers
    this.body = body
    this.page = page
  }
}

/** Converts a failure to a response. The setting `errors.body` decides the form of the body. */
export function failureResponse(failure: Failure, settings: SettingValues): ApiResponse {
  // By setting, a row that a key may not read looks like a missing row.
  const isHidden =
    failure.details.isKeyInsufficient && settings['keys.insufficient.status'] === '404'
  return { ...errorResponse(isHidden ? new Failure('not_found') : failure, settings), failure }
}

function errorResponse(failure: Failure, settings: SettingValues) {
  const { name, details } = failure
  const envelope = { ...toApiError(failure), issues: details.issues }
  const { status: usual = failureFormats[name].status } = details
  const status = usual === 401 ? Number(settings['keys.missing.status']) : usual
  const headers = failureHeaders(details, status, settings)
  if (details.hasNoBody) return { status, headers, body: null }
  const form = settings['errors.body']
  if (form === 'empty') return { status, headers, body: null }
  if (form === 'html') {
    const body = `<html><head><title>${status}</title></head><body><h1>${status}</h1></body></html>`
    return { status, headers: { 'content-type': 'text/html', ...headers }, body }
  }
  const bodies = { envelope, detail: { detail: envelope.detail }, list: [envelope] }
  return jsonResponse(status, toJsonText(bodies[form]).text, headers)
}

function failureHeaders({ retryAfter }: FailureDetails, status: number, settings: SettingValues) {
  const headers: Record<string, string> = {}
  if (status === 401 && settings['keys.www_authenticate'] === 'present') {
    headers['www-authenticate'] = 'Bearer realm="api"'
  }
  if (retryAfter !== undefined && settings['limits.retry_after'] === 'present') {
    headers['retry-after'] = String(retryAfter)
  }
  return headers
}

/** Stands for a connection that breaks before the response. */
export const networkErrorResponse: ApiResponse = { status: 0, headers: {}, body: null }

/** Marks a simulated network error. A registered symbol, because two copies of this module can be loaded. */
const networkErrorMark = Symbol.for('understudy-api/broken-off')

/** The error of Node for a connection that the server reset. Clients recognize it by its code. */
export function connectionReset(): Error {
  const values = { errno: -104, code: 'ECONNRESET', syscall: 'read' }
  return Object.assign(new Error('read ECONNRESET'), values)
}

/** Creates the error that the stream of a body throws to break its connection, like the one of fetch in Node. */
export function createNetworkError(): TypeError {
  const values = { name: 'SocketError', code: 'UND_ERR_SOCKET' }
  const cause = Object.assign(new Error('other side closed'), values)
  return Object.assign(new TypeError('terminated', { cause }), { [networkErrorMark]: true })
}

/** Whether an error breaks a connection on purpose, and so must not be reported. */
export function isSimulatedNetworkError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && networkErrorMark in error
}

export const bodilessStatuses: readonly number[] = [204, 205, 304]

/** Whether a method is one of those of the API that only read. @example isSafeMethod('HEAD') // true */
export function isSafeMethod(method: string): boolean {
  return ['GET', 'HEAD', 'OPTIONS'].includes(method)
}

export function requestTarget(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  return start < 0 ? '/' : url.slice(start).replace(/#.*/s, '')
}

/** The path and query of what a server received, which has an origin if the client takes it for a proxy. */
export function receivedTarget(url: string): string {
  return /^https?:/i.test(url) ? requestTarget(url) : url
}

export function queryString(url: string): string {
  const start = url.indexOf('?')
  if (start < 0) return ''
  const end = url.indexOf('#', start)
  return end < 0 ? url.slice(start + 1) : url.slice(start + 1, end)
}

/**
 * Python's `int(text)` of ASCII digits, which the service uses for `limit` and `offset`. Beyond 2^53 this returns the nearest number.
 *
 * @returns undefined if Python raises a ValueError
 * @example parseInteger(' +1_000 ') // 1000
 */
export function parseInteger(text: string): number | undefined {
  const digits = text.trim()
  if (!/^[+-]?\d+(?:_\d+)*$/.test(digits)) return undefined
  return Number(digits.includes('_') ? digits.replaceAll('_', '') : digits) + 0
}
