import { JsonPage, type JsonText } from '../utils/json-text.ts'
import type { ApiResponse } from './messages.ts'

/** An answer that has a body of JSON. */
export function jsonResponse(
  status: number,
  wire: JsonText<unknown>,
  headers?: Readonly<Record<string, string>>,
): ApiResponse {
  return new JsonResponse(status, wire, headers)
}

/** The headers of JSON. */
class JsonHeaders {
  readonly 'content-type' = 'application/json'
  readonly 'content-length': string

  constructor(bytes: number) {
    this['content-length'] = String(bytes)
  }
}

/** Classes, as journals keep them: see `Draft`. */
class JsonResponse implements ApiResponse {
  readonly status: number
  readonly headers: ApiResponse['headers']
  readonly text: string
  readonly ascii: boolean
  readonly page: JsonPage<unknown> | undefined

  constructor(
    status: number,
    wire: JsonText<unknown>,
    headers: ApiResponse['headers'] | undefined,
  ) {
    const { text, bytes } = wire
    const own = new JsonHeaders(bytes) as unknown as ApiResponse['headers']
    this.status = status
    this.headers = headers ? { ...own, ...headers } : own
    this.text = text
    this.ascii = bytes === text.length
    this.page = wire instanceof JsonPage ? wire : undefined
  }
}

/** An answer that is sent piece by piece, of a length that nobody knows, and never from a cache. */
export function streamResponse(
  status: number,
  { type, chunks }: StreamedBody<unknown>,
): ApiResponse {
  const headers = { 'content-type': type, 'cache-control': 'no-store' }
  return { status, headers, text: '', ascii: true, stream: chunks }
}

/** An answer without a body. */
export function responseWithoutBody(status: number, headers: Record<string, string>): ApiResponse {
  const length = status === 204 ? {} : { 'content-length': '0' }
  return { status, headers: { ...headers, ...length }, text: '', ascii: true }
}

/** An answer that is a page of HTML, as proxies send for errors. */
export function htmlResponse(status: number, headers: Record<string, string>): ApiResponse {
  const text = `<html><head><title>${status}</title></head><body><h1>${status}</h1></body></html>`
  const all = {
    'content-type': 'text/html',
    ...headers,
    'content-length': String(text.length),
  }
  return { status, headers: all, text, ascii: true }
}

/** What `handle` gives for an answer that goes on: its pieces as they come. */
export class StreamedBody<R> {
  /** The content type. */
  readonly type: string
  readonly chunks: AsyncIterable<Uint8Array>
  /** Never set: it carries the type of what documents say of the answer. */
  declare readonly shape?: R

  constructor(type: string, pieces: AsyncIterable<Uint8Array>) {
    this.type = type
    this.chunks = pieces
  }
}

/** No answer: the connection breaks in its place. */
export const networkErrorResponse: ApiResponse = { status: 0, headers: {}, text: '', ascii: true }

/** Marks errors that break a connection on purpose; a symbol, since the code may be there twice. */
const networkErrorMark: unique symbol = Symbol.for('understudy-api/broken-off') as never

/** What a body throws to break its connection: the error that fetch has for it. */
export function createNetworkError(): TypeError {
  return Object.assign(new TypeError('terminated'), { [networkErrorMark]: true })
}

/** Whether a connection was broken on purpose, which is nobody's fault. */
export function isSimulatedNetworkError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && networkErrorMark in error
}
