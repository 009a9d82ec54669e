import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { ApiRequest, OmittedBody, RequestHeaders } from '../../http/messages.ts'
import { queryString } from '../../http/url.ts'

interface FromExpress {
  readonly originalUrl?: string
  readonly protocol?: string
  readonly host?: string
  /** The body that a parser such as express.json() has read, or that was read here for later middleware. */
  body?: unknown
}

export type NodeRequest = IncomingMessage & FromExpress

/** A Node request. Its URL is built only if a handler reads it, and few do. */
export class NodeApiRequest implements ApiRequest {
  readonly headers: ApiRequest['headers']
  body: ApiRequest['body'] = null
  readonly nodeRequest: NodeRequest
  #query: string | null = null

  constructor(
    nodeRequest: NodeRequest,
    headers: NodeHeaders = new NodeHeaders(nodeRequest.headers),
  ) {
    this.nodeRequest = nodeRequest
    this.headers = headers
  }

  get method(): string {
    return this.nodeRequest.method ?? 'GET'
  }

  get url(): string {
    return requestUrl(this.nodeRequest)
  }

  get target(): string {
    return this.nodeRequest.originalUrl ?? this.nodeRequest.url ?? '/'
  }

  get query(): string {
    this.#query ??= queryString(this.nodeRequest.url ?? '')
    return this.#query
  }

  onAbort(listener: () => void): () => void {
    const { socket } = this.nodeRequest
    if (socket.destroyed) listener()
    socket.on('close', listener)
    return () => socket.off('close', listener)
  }
}

/** The URL as the client sent it: with the mount path of a router, and with the values that a trusted proxy forwards. */
export function requestUrl(request: NodeRequest): string {
  return toAbsoluteUrl(request, request.originalUrl ?? request.url ?? '/')
}

/** A URL below the origin. Requests to a proxy contain an absolute URL; `OPTIONS *` contains no path. */
export function toAbsoluteUrl(request: NodeRequest, url: string): string {
  if (url.startsWith('/')) return requestOrigin(request) + url
  return isHttpUrl(url) ? url : `${requestOrigin(request)}/${url}`
}

/** fetch refuses URLs with a user. */
function isHttpUrl(url: string): boolean {
  return /^https?:\/\/[^/?#@]+(?:[/?#]|$)/i.test(url) && URL.canParse(url)
}

export function requestOrigin(request: NodeRequest): string {
  const { headers } = request
  const isEncrypted = (request.socket as TLSSocket).encrypted === true
  // Express reads the address of the client and two headers each time, whether the headers exist or not.
  const isForwarded = headers['x-forwarded-proto'] || headers['x-forwarded-host']
  const forwarded = isForwarded ? request.protocol : undefined
  // A proxy passes on any text. Only these can begin a link.
  const isLink = forwarded === 'http' || forwarded === 'https'
  const protocol = isLink ? forwarded : isEncrypted ? 'https' : 'http'
  const host = (isForwarded && request.host) || headers.host || ''
  const origin = `${protocol}://${host}`
  if (loopbackHost.test(host)) return origin
  return hostAndPort.test(host) && URL.canParse(origin) ? origin : `${protocol}://localhost`
}

/** Fast path: these are valid, and parsing a URL costs as much as reading the query. */
const loopbackHost = /^(?:localhost|127\.0\.0\.1)(?::[1-5]?\d{1,4})?$/

/** Any other Host header cannot be part of a link. */
const hostAndPort = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i

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

  areSame(headers: IncomingHttpHeaders): boolean {
    const own = this.#headers
    for (const name in headers) if (headers[name] !== own[name]) return false
    for (const name in own) if (headers[name] === undefined) return false
    return true
  }
}

/**
 * Shares equal headers between requests. Most clients send the same headers each time, and a journal of a thousand
 * requests then stores them once.
 */
export class LatestHeaders {
  #latest: NodeHeaders | null = null

  of(headers: IncomingHttpHeaders): NodeHeaders {
    // A copy, because later middleware can change the headers, and this object outlives the request.
    const latest = this.#latest?.areSame(headers) ? this.#latest : new NodeHeaders({ ...headers })
    this.#latest = latest
    return latest
  }
}

function bytesOf(headers: IncomingHttpHeaders): number {
  let bytes = 0
  for (const name in headers) bytes += name.length + (headers[name]?.length ?? 0)
  return bytes
}

/** A body that was read. One beyond a limit is omitted. */
type NodeBody = Uint8Array | OmittedBody | null

/** Whether a request has a body to read. Any method can have one, also GET. */
export function hasBody({ headers }: NodeRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/**
 * Reads the body of a request. A body over the limit is read to its end and discarded, so that the connection can be
 * used again. Takes callbacks, because a promise costs as much as reading a small body.
 *
 * @param limit in bytes
 * @param onBody called with the body
 * @param onError called if the client disconnects before the end
 */
export function readBody(
  request: NodeRequest,
  limit: number,
  onBody: (body: NodeBody) => void,
  onError: (error: Error) => void,
): void {
  if (request.readableEnded) {
    onBody(parsedBody(request, limit))
    return
  }
  let chunks: Buffer[] = []
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > limit) chunks = []
    else chunks.push(chunk)
  })
  request.on('end', () => {
    // Most bodies arrive in one chunk, which is not copied.
    const body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
    onBody(size > limit ? { omitted: size } : body)
  })
  request.on('error', onError)
}

/** Reads the body of a request. @throws Error if the client disconnects before the end */
export function readWholeBody(request: NodeRequest, limit: number): Promise<NodeBody> {
  return new Promise((resolve, reject) => readBody(request, limit, resolve, reject))
}

/** A body that middleware such as express.json(), express.text() or express.raw() has already read. */
function parsedBody({ body, headers }: NodeRequest, limit: number): NodeBody {
  if (body === undefined) return null
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded')
  const bytes = body instanceof Uint8Array ? body : Buffer.from(toText(body, isForm === true))
  return bytes.length > limit ? { omitted: bytes.length } : bytes
}

function toText(body: unknown, isForm: boolean): string {
  if (typeof body === 'string') return body
  return isForm ? String(new URLSearchParams(body as Record<string, string>)) : JSON.stringify(body)
}
