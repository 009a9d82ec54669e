import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { type Call, type CallHeaders, queryOf } from '../http/call.ts'

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
export class NodeCall implements Call {
  readonly headers: Call['headers']
  /** Set when it has been read. */
  body: Call['body'] = null
  readonly request: NodeRequest

  constructor(request: NodeRequest) {
    this.request = request
    this.headers = new NodeHeaders(request.headers)
  }

  get method(): string {
    return this.request.method ?? 'GET'
  }

  get url(): string {
    return addressOf(this.request)
  }

  get target(): string {
    return this.request.originalUrl ?? this.request.url ?? '/'
  }

  get query(): string {
    return queryOf(this.request.url ?? '')
  }

  onGone(listener: () => void): () => void {
    const { socket } = this.request
    if (socket.destroyed) listener()
    socket.on('close', listener)
    return () => socket.off('close', listener)
  }
}

/** The address as the caller wrote it: with the path a router was mounted at, and what a trusted proxy forwards. */
export function addressOf(request: NodeRequest): string {
  return absolute(request, request.originalUrl ?? request.url ?? '/')
}

/** Below its origin; a request to a proxy names its address whole, and `OPTIONS *` no path at all. */
export function absolute(request: NodeRequest, url: string): string {
  if (url.startsWith('/')) return originOf(request) + url
  return /^https?:\/\//i.test(url) ? url : `${originOf(request)}/${url}`
}

export function originOf(request: NodeRequest): string {
  const isEncrypted = (request.socket as TLSSocket).encrypted === true
  const protocol = request.protocol ?? (isEncrypted ? 'https' : 'http')
  const host = request.host ?? request.headers.host ?? ''
  const origin = `${protocol}://${host}`
  return hostAndPort.test(host) && URL.canParse(origin) ? origin : `${protocol}://localhost`
}

/** What else stands in a Host header can be in no link. */
const hostAndPort = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i

class NodeHeaders implements CallHeaders {
  readonly #headers: IncomingHttpHeaders

  constructor(headers: IncomingHttpHeaders) {
    this.#headers = headers
  }

  get(name: string): string | null {
    const value = this.#headers[name]
    return value === undefined ? null : Array.isArray(value) ? value.join(', ') : value
  }

  get bytes(): number {
    let bytes = 0
    for (const name in this.#headers) bytes += name.length + (this.#headers[name]?.length ?? 0)
    return bytes
  }

  *entries(): IterableIterator<[string, string]> {
    for (const name of Object.keys(this.#headers)) yield [name, this.get(name) ?? '']
  }
}
