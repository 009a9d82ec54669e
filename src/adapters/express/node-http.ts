import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { Failure, noRoom } from '../../http/failures.ts'
import {
  type ApiRequest,
  type ApiResponse,
  bodyLength,
  bodyText,
  failureResponse,
  isBodyFaulty,
  isSimulatedNetworkError,
  isStream,
  queryString,
  type RequestBody,
  type RequestHeaders,
  sentHeaders,
} from '../../http/messages.ts'
import { resolveSettings } from '../../settings/resolve.ts'
import { ByteParts, JsonText } from '../../utils/json.ts'
import { writeQuery } from '../../utils/query.ts'
import { streamBody } from '../body-stream.ts'

/** A request of Node, with or without what Express and parsers of bodies add to it. */
export interface NodeRequest extends IncomingMessage {
  readonly originalUrl?: string
  readonly protocol?: string
  readonly host?: string
  /** The body that a parser such as express.json() has read, or that was read here for later middleware. */
  body?: unknown
}

/** A connection, which a client opens when it begins to send a request. */
export interface ClientSocket extends Socket {
  /** As `performance.now()`, until the first request arrives */
  opened?: number | undefined
  /** The latest one that is valid: to parse it for each request takes as long as to find its row */
  origin?: string
  /** Those of the latest request: the next one mostly has the same, and journals keep them */
  headers?: NodeHeaders
  latest?: ServerResponse
  /** How many bytes its server has of bodies without a response yet */
  unanswered?: { bytes: number }
}

/** Remembers when clients open connections to a server, and counts the bodies that they send. */
export function followConnections(server: Server): void {
  const unanswered = { bytes: 0 }
  const remember = (socket: ClientSocket) => {
    socket.opened = performance.now()
    socket.unanswered = unanswered
  }
  server.on('connection', remember).on('secureConnection', remember)
}

/** The request that handlers of the API get. Its body is set when it has been read. */
export class NodeApiRequest implements ApiRequest {
  readonly method: string
  readonly url: string
  readonly target: string
  readonly query: string
  readonly headers: NodeHeaders
  body: RequestBody = null
  readonly began: number | undefined
  readonly #socket: ClientSocket
  readonly #nodeResponse: ServerResponse | undefined

  constructor(nodeRequest: NodeRequest, nodeResponse?: ServerResponse) {
    const { method = 'GET', url = '/', originalUrl = url } = nodeRequest
    const socket: ClientSocket = nodeRequest.socket
    this.#socket = socket
    this.#nodeResponse = nodeResponse
    this.headers = headersOf(nodeRequest)
    this.method = method
    // With the mount path of a router.
    this.url = this.headers.toAbsoluteUrl(originalUrl)
    this.target = originalUrl
    this.query = queryString(url)
    this.began = socket.opened
    if (socket.opened !== undefined) socket.opened = undefined
  }

  onAbort(listener: () => void): () => void {
    const socket = this.#socket
    if (socket.destroyed) listener()
    socket.on('close', listener)
    return () => socket.off('close', listener)
  }

  onSent(listener: () => void): void {
    this.#nodeResponse?.once('close', listener)
  }

  hold(bytes: number): boolean {
    return !this.#nodeResponse || holdBytes(this.#nodeResponse, bytes)
  }
}

function headersOf(request: NodeRequest) {
  const socket: ClientSocket = request.socket
  if (!socket.headers?.areThoseOf(request)) socket.headers = new NodeHeaders(request)
  return socket.headers
}

/** The headers of a request of Node, which has them by lower-case name. */
class NodeHeaders implements RequestHeaders {
  readonly #headers: IncomingHttpHeaders
  readonly #origin: string

  constructor(request: NodeRequest) {
    // A copy: later middleware can change those of its request.
    this.#headers = { ...request.headers }
    this.#origin = requestOrigin(request)
  }

  get(name: string): string | null {
    const value = this.#headers[name]
    return value === undefined ? null : Array.isArray(value) ? value.join(', ') : value
  }

  entries(): readonly [string, string][] {
    return Object.keys(this.#headers).map((name) => [name, this.get(name) ?? ''])
  }

  /** Whether a request has them in this order. Express says which forwarded ones it trusts */
  areThoseOf({ headers }: NodeRequest): boolean {
    const names = Object.keys(this.#headers)
    let index = 0
    for (const name in headers)
      if (names[index++] !== name || headers[name] !== this.#headers[name]) return false
    return index === names.length && !isForwarded(headers)
  }

  /** A URL below the origin. Requests to a proxy contain an absolute URL; `OPTIONS *` contains no path. */
  toAbsoluteUrl(url: string): string {
    if (url.startsWith('/')) return this.#origin + url
    return isHttpUrl(url) ? url : `${this.#origin}/${url}`
  }
}

/** fetch refuses URLs with a user. */
function isHttpUrl(url: string) {
  return /^https?:\/\/[^/?#@]+(?:[/?#]|$)/i.test(url) && URL.canParse(url)
}

/** The origin as the client sent it, with the values that a trusted proxy forwards. */
export function requestOrigin(request: NodeRequest): string {
  const { headers } = request
  const isEncrypted = (request.socket as TLSSocket).encrypted === true
  const forwarded = isForwarded(headers) ? request.protocol : undefined
  // A proxy passes on any text. Only these can begin a link.
  const isLink = forwarded === 'http' || forwarded === 'https'
  const protocol = isLink ? forwarded : isEncrypted ? 'https' : 'http'
  const host = (isForwarded(headers) && request.host) || headers.host || ''
  const origin = `${protocol}://${host}`
  const socket: ClientSocket = request.socket
  if (origin === socket.origin) return origin
  if (!hostAndPort.test(host) || !URL.canParse(origin)) return `${protocol}://localhost`
  socket.origin = origin
  return origin
}

function isForwarded(headers: IncomingHttpHeaders) {
  return Boolean(headers['x-forwarded-proto'] || headers['x-forwarded-host'])
}

/** Any other Host header cannot be part of a link. */
const hostAndPort = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i

/** Whether a request has a body to read. Any method can have one, also GET. */
export function hasBody({ headers }: NodeRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/**
 * Reads the body of a request, which takes room until its response has ended: a fault can hold it. A body over the limit is
 * read to its end and discarded, so that the connection can be used again.
 *
 * @param limit in bytes
 * @param onBody called with null if there is none, at once
 * @param onError called if the client disconnects before the end, and with a `Failure` if other bodies left no room
 */
export function readNodeBody(
  request: NodeRequest,
  response: ServerResponse,
  limit: number,
  onBody: (body: RequestBody) => void,
  onError: (error: unknown) => void,
): void {
  if (!hasBody(request)) onBody(null)
  else if (request.readableEnded) onBody(parsedBody(request, limit))
  else if (request.destroyed) onError(request.errored ?? new Error('aborted'))
  else collectBody(request, response, limit, onBody, onError)
}

function collectBody(...args: Parameters<typeof readNodeBody>) {
  const [request, response, limit, onBody, onError] = args
  const parts = new ByteParts()
  const { unanswered = { bytes: 0 } }: ClientSocket = request.socket
  let [size, kept, hasRoom] = [0, 0, true]
  const keep = (bytes: number) => {
    unanswered.bytes += bytes - kept
    kept = bytes
  }
  request.on('data', (part: Buffer) => {
    size += part.length
    // One alone may be larger.
    hasRoom &&= unanswered.bytes - kept <= maxUnanswered
    if (hasRoom && size <= limit) parts.add(part)
    else parts.take()
    keep(hasRoom && size <= limit ? size : 0)
  })
  request.on('end', () => {
    if (response.destroyed) keep(0)
    else response.once('close', () => keep(0))
    if (size > limit) onBody({ omitted: size })
    else if (hasRoom) onBody(parts.take())
    else onError(noRoom('Bodies of other requests', 'Send it again when these have ended.'))
  })
  request.on('error', (error) => {
    keep(0)
    onError(error)
  })
}

/** In bytes, of all clients of a server together. */
const maxUnanswered = 256 * 2 ** 20

/** Reads the body of a request, up to a limit in bytes. @throws Error if the client disconnects before the end */
export function readWholeBody(
  request: NodeRequest,
  response: ServerResponse,
  limit: number,
): Promise<RequestBody> {
  return new Promise((resolve, reject) => readNodeBody(request, response, limit, resolve, reject))
}

/** A body that middleware such as express.json(), express.text() or express.raw() has already read. */
function parsedBody({ body, headers }: NodeRequest, limit: number): RequestBody {
  if (body === undefined) return null
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded')
  const bytes = ArrayBuffer.isView(body)
    ? (body as Uint8Array)
    : Buffer.from(toText(body, isForm === true))
  return bytes.length > limit ? { omitted: bytes.length } : bytes
}

function toText(body: unknown, isForm: boolean) {
  if (typeof body === 'string') return body
  return isForm ? writeQuery(Object.entries(body as Record<string, string>)) : JSON.stringify(body)
}

/** What a response is made of takes room until it has ended, as the body of a request does. @returns false without room */
function holdBytes(nodeResponse: ServerResponse, bytes: number) {
  const { unanswered = { bytes: 0 } }: ClientSocket = nodeResponse.req.socket
  if (unanswered.bytes > maxUnanswered) return false
  unanswered.bytes += bytes
  nodeResponse.once('close', () => {
    unanswered.bytes -= bytes
  })
  return true
}

/** From about 128 KiB on, Node writes a text six times slower than its bytes. */
const longText = 128 * 1024

/** @param isHeld whether its body takes room until it is sent */
export function writeResponse(
  nodeResponse: ServerResponse,
  response: ApiResponse,
  isHeld: boolean = isBodyFaulty(response),
): void {
  const { status, body } = response
  if (status === 0 || (isHeld && !holdBytes(nodeResponse, bodyLength(body) ?? 0))) {
    resetConnection(nodeResponse)
    return
  }
  nodeResponse.writeHead(status, sentHeaders(response))
  if (isBodyFaulty(response)) writeStream(nodeResponse, streamBody(response))
  else if (!isStream(body)) endWith(nodeResponse, body)
  else if (nodeResponse.req.method === 'HEAD') nodeResponse.end()
  else writeStream(nodeResponse, body)
}

/** Node's `end(body)` also writes an empty text: both together cost a third more than the body alone. */
function endWith(nodeResponse: ServerResponse, body: ApiResponse['body']) {
  const { socket } = nodeResponse
  // A response that waits for an earlier one of its connection has no socket yet.
  socket?.cork()
  // Middleware that replaces `write` gets the text, and no bytes that others get, too.
  const parts = body instanceof JsonText && !Object.hasOwn(nodeResponse, 'write') && body.parts
  const bytes = body instanceof JsonText ? body.bytes : undefined
  if (parts) for (const part of parts) writePart(nodeResponse, part, bytes)
  else writePart(nodeResponse, ArrayBuffer.isView(body) ? body : bodyText(body), bytes)
  socket?.uncork()
  nodeResponse.end()
}

/** Node writes a text of ASCII faster as Latin-1, which is the same. @param bytes those of the whole body, if they are known */
function writePart(nodeResponse: ServerResponse, part: string | Uint8Array, bytes?: number) {
  const encoding = bytes === part.length ? 'latin1' : 'utf8'
  if (typeof part !== 'string') nodeResponse.write(part)
  else if (part.length > longText) nodeResponse.write(Buffer.from(part, encoding))
  else if (part.length > 0) nodeResponse.write(part, encoding)
}

export function resetConnection(nodeResponse: ServerResponse): void {
  try {
    nodeResponse.socket?.resetAndDestroy()
  } catch {
    // Only TCP connections can be reset. TLS and Unix sockets are closed.
  }
  nodeResponse.destroy()
}

/** Closes the connection after everything that was written to it has been sent. */
function closeAfterWrites(nodeResponse: ServerResponse) {
  const destroy = () => void nodeResponse.destroy()
  if (nodeResponse.socket) nodeResponse.socket.write('', destroy)
  else destroy()
}

/** An error of the stream breaks the connection. Neither such an error nor a disconnected client is reported. */
async function writeStream(
  nodeResponse: ServerResponse,
  stream: ReadableStream<Uint8Array>,
): Promise<void> {
  nodeResponse.flushHeaders()
  const reader = stream.getReader()
  nodeResponse.once('close', () => void reader.cancel().catch(() => {}))
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      // The response can be closed before the listener was added.
      if (nodeResponse.destroyed) return void (await reader.cancel())
      await writeChunk(nodeResponse, read.value)
    }
    nodeResponse.end()
  } catch {
    nodeResponse.destroy()
  }
}

/** Resolves when the chunk has been sent: breaking the connection earlier would discard it. */
function writeChunk(nodeResponse: ServerResponse, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    nodeResponse.write(chunk, (error) => (error ? reject(error) : resolve()))
  })
}

/**
 * Ends a request after an exception: with the response of a thrown `Failure`, or else with a 500.
 *
 * @param onError called with any exception that is not a `Failure`
 */
export function sendError(
  nodeResponse: ServerResponse,
  error: unknown,
  onError: (error: unknown) => void,
): void {
  if (nodeResponse.destroyed) return
  const failure = error instanceof Failure ? error : new Failure('server_error')
  if (error !== failure && !isSimulatedNetworkError(error)) onError(error)
  sendFailure(nodeResponse, failure)
}

/** Sends a failure in the envelope of the API. A response that has already started is cut off. */
export function sendFailure(nodeResponse: ServerResponse, failure: Failure): void {
  if (nodeResponse.destroyed) return
  if (nodeResponse.headersSent) closeAfterWrites(nodeResponse)
  else writeResponse(nodeResponse, failureResponse(failure, resolveSettings()))
}
