import type { JsonPage } from '../utils/json-page.ts'
import type { JsonText, TextSource } from '../utils/json-text.ts'

/** A request, independent of the transport. */
export interface ApiRequest {
  readonly method: string
  /** Absolute, as the client addressed it. The links of a page are built from it. */
  readonly url: string
  readonly target: string
  readonly query: string
  readonly headers: RequestHeaders
  /** Null without a body. A body beyond the limit is `too_large`, and its bytes are dropped. */
  readonly body: Uint8Array | null | 'too_large'
  /** The chunks of the body, in place of it, if the endpoint reads them itself. */
  readonly stream?: AsyncIterable<Uint8Array> | undefined
  /** The decoded body, set if it is equivalent to the bytes. It is stored in place of them. */
  text?: string | undefined
  /**
   * Registers a listener that is called if the client disconnects before the response is complete. Returns a function
   * that removes the listener.
   */
  onAbort?(listener: () => void): () => void
}

export interface RequestHeaders {
  get(name: string): string | null
  entries(): Iterable<[string, string]>
  /** The length of all names and values in bytes, if it is known without copying them. */
  readonly bytes?: number
}

/** The part of a request that is known before its body. */
export type RequestHead = Pick<ApiRequest, 'url' | 'headers'>

/** A response, independent of the transport. */
export interface ApiResponse {
  /** 0 for a network error in place of a response, as in fetch. */
  readonly status: number
  /** By lowercase name. Contains `content-length`, unless the body is streamed. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** Whether every character of the text is one byte, so that a transport can write it without encoding. */
  readonly ascii: boolean
  /**
   * The page that the text is joined from, whose bytes are sent instead. The journal stores its parts. Code that changes
   * `text` must remove it.
   */
  readonly page?: JsonPage<unknown> | undefined
  /** That of the JSON text. Code that changes `text` must remove it. */
  readonly source?: TextSource | undefined
  /** The chunks of a streamed body, which replace the text. If the stream throws, the connection breaks. */
  readonly stream?: AsyncIterable<Uint8Array>
}

export function jsonResponse(
  status: number,
  json: JsonText<unknown>,
  headers?: Readonly<Record<string, string>>,
): ApiResponse {
  const jsonHeaders = new JsonHeaders(json.bytes) as unknown as ApiResponse['headers']
  return new JsonResponse(status, json, headers ? { ...jsonHeaders, ...headers } : jsonHeaders)
}

export function pageResponse(status: number, page: JsonPage<unknown>): ApiResponse {
  return new PageResponse(status, page, new JsonHeaders(page.bytes) as never)
}

class JsonHeaders {
  readonly 'content-type' = 'application/json'
  readonly 'content-length': string

  constructor(bytes: number) {
    this['content-length'] = String(bytes)
  }
}

/** A class, because the journal stores many responses, and instances of a class take less memory. */
class JsonResponse implements ApiResponse {
  readonly status: number
  readonly headers: ApiResponse['headers']
  readonly text: string
  readonly ascii: boolean
  readonly source: TextSource | undefined

  constructor(
    status: number,
    { text, bytes, source }: JsonText<unknown>,
    headers: ApiResponse['headers'],
  ) {
    this.status = status
    this.headers = headers
    this.text = text
    this.ascii = bytes === text.length
    this.source = source
  }
}

/** A page is sent as the bytes of its rows, so its text is joined only if code reads it. */
class PageResponse implements ApiResponse {
  readonly status: number
  readonly headers: ApiResponse['headers']
  readonly ascii = false
  readonly page: JsonPage<unknown>

  constructor(status: number, page: JsonPage<unknown>, headers: ApiResponse['headers']) {
    this.status = status
    this.headers = headers
    this.page = page
  }

  get text(): string {
    return this.page.text
  }
}

/** Returns a response with more headers. A spread would lose the text of a page. */
export function withHeaders(
  response: ApiResponse,
  headers: Readonly<Record<string, string>>,
): ApiResponse {
  const all = { ...response.headers, ...headers }
  const { status, page } = response
  return page ? new PageResponse(status, page, all) : { ...response, headers: all }
}

/** Creates a response whose body is sent chunk by chunk. Its length is unknown, and it is never cached. */
export function streamResponse(
  status: number,
  { type, chunks }: StreamedBody<unknown>,
): ApiResponse {
  const headers = { 'content-type': type, 'cache-control': 'no-store' }
  return { status, headers, text: '', ascii: true, stream: chunks }
}

export function responseWithoutBody(status: number, headers: Record<string, string>): ApiResponse {
  const length = status === 204 ? {} : { 'content-length': '0' }
  return { status, headers: { ...headers, ...length }, text: '', ascii: true }
}

export function htmlResponse(status: number, headers: Record<string, string>): ApiResponse {
  const text = `<html><head><title>${status}</title></head><body><h1>${status}</h1></body></html>`
  const allHeaders = {
    'content-type': 'text/html',
    ...headers,
    'content-length': String(text.length),
  }
  return { status, headers: allHeaders, text, ascii: true }
}

/** The result of an endpoint whose body is sent chunk by chunk. */
export class StreamedBody<R> {
  readonly type: string
  readonly chunks: AsyncIterable<Uint8Array>
  /** Never set. It carries the type of the body. */
  declare readonly shape?: R

  constructor(type: string, chunks: AsyncIterable<Uint8Array>) {
    this.type = type
    this.chunks = chunks
  }
}

/** Stands for a connection that breaks before the response. */
export const networkErrorResponse: ApiResponse = { status: 0, headers: {}, text: '', ascii: true }

/** Marks a simulated network error. A registered symbol, because two copies of this module can be loaded. */
const networkErrorMark: unique symbol = Symbol.for('understudy-api/broken-off') as never

/** Creates the error that the stream of a body throws to break its connection, like the one of fetch. */
export function createNetworkError(): TypeError {
  return Object.assign(new TypeError('terminated'), { [networkErrorMark]: true })
}

/** Whether an error breaks a connection on purpose, and so must not be reported. */
export function isSimulatedNetworkError(error: unknown): boolean {
  return typeof error === 'object' && error !== null && networkErrorMark in error
}
