import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { ApiRequest, RequestBody, RequestHeaders } from '../../http/messages.ts'
import { queryString } from '../../http/url.ts'

interface FromExpress {
  readonly originalUrl?: string
  readonly protocol?: string
  readonly host?: string
  /** The body that a parser such as express.json() has read, or that was read here for later middleware. */
  body?: unknown
}

export type NodeRequest = IncomingMessage & FromExpress

/** The request that handlers of the API get, before its body is read. */
export function toApiRequest(nodeRequest: NodeRequest): ApiRequest {
  const { method = 'GET', url = '/', originalUrl = url, headers, socket } = nodeRequest
  return {
    method,
    // With the mount path of a router.
    url: toAbsoluteUrl(nodeRequest, originalUrl),
    target: originalUrl,
    query: queryString(url),
    // A copy, because later middleware can change the headers, and the journal keeps them.
    headers: toRequestHeaders({ ...headers }),
    body: null,
    onAbort(listener) {
      if (socket.destroyed) listener()
      socket.on('close', listener)
      return () => socket.off('close', listener)
    },
  }
}

function toRequestHeaders(headers: IncomingHttpHeaders): RequestHeaders {
  const get = (name: string): string | null => {
    const value = headers[name]
    return value === undefined ? null : Array.isArray(value) ? value.join(', ') : value
  }
  return { get, entries: () => Object.keys(headers).map((name) => [name, get(name) ?? '']) }
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

/** The origin as the client sent it, with the values that a trusted proxy forwards. */
export function requestOrigin(request: NodeRequest): string {
  const { headers } = request
  const isEncrypted = (request.socket as TLSSocket).encrypted === true
  const isForwarded = headers['x-forwarded-proto'] || headers['x-forwarded-host']
  const forwarded = isForwarded ? request.protocol : undefined
  // A proxy passes on any text. Only these can begin a link.
  const isLink = forwarded === 'http' || forwarded === 'https'
  const protocol = isLink ? forwarded : isEncrypted ? 'https' : 'http'
  const host = (isForwarded && request.host) || headers.host || ''
  const origin = `${protocol}://${host}`
  return hostAndPort.test(host) && URL.canParse(origin) ? origin : `${protocol}://localhost`
}

/** Any other Host header cannot be part of a link. */
const hostAndPort = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i

/** Whether a request has a body to read. Any method can have one, also GET. */
export function hasBody({ headers }: NodeRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/**
 * Reads the body of a request. A body over the limit is read to its end and discarded, so that the connection can be
 * used again.
 *
 * @param limit in bytes
 * @throws Error if the client disconnects before the end
 */
export async function readBody(request: NodeRequest, limit: number): Promise<RequestBody> {
  if (!hasBody(request)) return null
  if (request.readableEnded) return parsedBody(request, limit)
  let chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > limit) chunks = []
    else chunks.push(chunk)
  }
  return size > limit ? { omitted: size } : Buffer.concat(chunks)
}

/** A body that middleware such as express.json(), express.text() or express.raw() has already read. */
function parsedBody({ body, headers }: NodeRequest, limit: number): RequestBody {
  if (body === undefined) return null
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded')
  const bytes = body instanceof Uint8Array ? body : Buffer.from(toText(body, isForm === true))
  return bytes.length > limit ? { omitted: bytes.length } : bytes
}

function toText(body: unknown, isForm: boolean): string {
  if (typeof body === 'string') return body
  return isForm ? String(new URLSearchParams(body as Record<string, string>)) : JSON.stringify(body)
}
