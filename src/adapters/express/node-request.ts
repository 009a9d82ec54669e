import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { type ApiRequest, queryString, type RequestHeaders } from '../../http/messages.ts'

/** What Express adds to a request; each may be missing where another server stands in front. */
interface FromExpress {
  readonly originalUrl?: string
  readonly protocol?: string
  readonly host?: string
  /** What a parser before us has read; what we have read, for whoever comes after. */
  body?: unknown
}

export type NodeRequest = IncomingMessage & FromExpress

/** A Node request as a call. Its address is put together only when somebody asks, and few do. */
export class NodeApiRequest implements ApiRequest {
  readonly headers: ApiRequest['headers']
  /** Set when it has been read. */
  body: ApiRequest['body'] = null
  text: ApiRequest['text'] = undefined
  readonly request: NodeRequest

  constructor(request: NodeRequest, headers: NodeHeaders = new NodeHeaders(request.headers)) {
    this.request = request
    this.headers = headers
  }

  get method(): string {
    return this.request.method ?? 'GET'
  }

  get url(): string {
    return requestUrl(this.request)
  }

  get target(): string {
    return this.request.originalUrl ?? this.request.url ?? '/'
  }

  get query(): string {
    return queryString(this.request.url ?? '')
  }

  onAbort(listener: () => void): () => void {
    const { socket } = this.request
    if (socket.destroyed) listener()
    socket.on('close', listener)
    return () => socket.off('close', listener)
  }
}

/** The address as the caller wrote it: with the path a router was mounted at, and what a trusted proxy forwards. */
export function requestUrl(request: NodeRequest): string {
  return toAbsoluteUrl(request, request.originalUrl ?? request.url ?? '/')
}

/** Below its origin; a request to a proxy names its address whole, and `OPTIONS *` no path at all. */
export function toAbsoluteUrl(request: NodeRequest, url: string): string {
  if (url.startsWith('/')) return requestOrigin(request) + url
  return /^https?:\/\//i.test(url) ? url : `${requestOrigin(request)}/${url}`
}

export function requestOrigin(request: NodeRequest): string {
  const isEncrypted = (request.socket as TLSSocket).encrypted === true
  const protocol = request.protocol ?? (isEncrypted ? 'https' : 'http')
  const host = request.host ?? request.headers.host ?? ''
  const origin = `${protocol}://${host}`
  return hostAndPort.test(host) && URL.canParse(origin) ? origin : `${protocol}://localhost`
}

/** What else stands in a Host header can be in no link. */
const hostAndPort = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i

/** The headers of a Node request. */
class NodeHeaders implements RequestHeaders {
  readonly #headers: IncomingHttpHeaders
  #bytes: number | null = null

  constructor(headers: IncomingHttpHeaders) {
    this.#headers = headers
  }

  get(name: string): string | null {
    const value = this.#headers[name]
    return value === undefined ? null : Array.isArray(value) ? value.join(', ') : value
  }

  get bytes(): number {
    this.#bytes ??= bytesOf(this.#headers)
    return this.#bytes
  }

  *entries(): IterableIterator<[string, string]> {
    for (const name of Object.keys(this.#headers)) yield [name, this.get(name) ?? '']
  }

  /** Whether they are the same, name by name; never where one stands there several times. */
  areSame(headers: IncomingHttpHeaders): boolean {
    const own = this.#headers
    for (const name in headers) if (headers[name] !== own[name]) return false
    for (const name in own) if (headers[name] === undefined) return false
    return true
  }
}

/**
 * The headers of requests. Most clients send the same with each: then they are one object, and a journal of a thousand
 * requests does not keep them a thousand times.
 */
export class LatestHeaders {
  #latest: NodeHeaders | null = null

  of(headers: IncomingHttpHeaders): NodeHeaders {
    // A copy: theirs may be changed by whoever comes after us, and this one outlives its request.
    const known = this.#latest?.areSame(headers) ? this.#latest : new NodeHeaders({ ...headers })
    this.#latest = known
    return known
  }
}

function bytesOf(headers: IncomingHttpHeaders): number {
  let bytes = 0
  for (const name in headers) bytes += name.length + (headers[name]?.length ?? 0)
  return bytes
}
