import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { type ApiRequest, queryString } from '../http/call.ts'
import { NodeHeaders } from './node-headers.ts'

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
