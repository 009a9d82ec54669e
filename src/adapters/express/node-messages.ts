import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate } from 'node:timers'
import type { TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import { failureResponse } from '../../http/failure-response.ts'
import { Failure } from '../../http/failures.ts'
import {
  type ApiRequest,
  type ApiResponse,
  bodyText,
  isBodyFaulty,
  isSimulatedNetworkError,
  isStream,
  queryString,
  type RequestBody,
  type RequestHeaders,
  sentHeaders,
} from '../../http/messages.ts'
import { resolveSettings } from '../../settings/resolve.ts'
import { JsonText } from '../../utils/json.ts'
import { writeQuery } from '../../utils/query.ts'
import { nextTurn } from '../../utils/wait.ts'
import { streamBody } from '../body-stream.ts'

/** What Express and parsers of bodies add to a request. */
export interface FromExpress {
  readonly originalUrl?: string
  readonly protocol?: string
  readonly host?: string
  /** The body that a parser such as express.json() has read, or that was read here for later middleware. */
  body?: unknown
}

/** A request of Node, with or without Express. */
export type NodeRequest = IncomingMessage & FromExpress

/** A connection, which a client opens when it begins to send a request. */
interface ClientSocket extends Socket {
  /** As `performance.now()`, until the first request arrives */
  opened?: number | undefined
  /** The headers of the latest request. Most requests of a client have the same, which are kept once */
  headers?: NodeHeaders
}

/** Remembers when clients open connections to a server. */
export function followConnections(server: Server): void {
  const remember = (socket: ClientSocket): void => {
    socket.opened = performance.now()
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
}

function headersOf(request: NodeRequest): NodeHeaders {
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

  entries(): [string, string][] {
    return Object.keys(this.#headers).map((name) => [name, this.get(name) ?? ''])
  }

  /** A URL below the origin. Requests to a proxy contain an absolute URL; `OPTIONS *` contains no path. */
  toAbsoluteUrl(url: string): string {
    if (url.startsWith('/')) return this.#origin + url
    return isHttpUrl(url) ? url : `${this.#origin}/${url}`
  }

  /** @note Express says which of the forwarded values of a request it trusts */
  areThoseOf({ headers }: NodeRequest): boolean {
    const own = this.#headers
    let more = 0
    for (const name in own) {
      if (own[name] !== headers[name]) return false
      more -= 1
    }
    for (const _name in headers) more += 1
    return more === 0 && !isForwarded(headers)
  }
}

/** fetch refuses URLs with a user. */
function isHttpUrl(url: string): boolean {
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
  return hostAndPort.test(host) && URL.canParse(origin) ? origin : `${protocol}://localhost`
}

function isForwarded(headers: IncomingHttpHeaders): boolean {
  return Boolean(headers['x-forwarded-proto'] || headers['x-forwarded-host'])
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
 * @param onBody called with null if there is none, at once
 * @param onError called if the client disconnects before the end
 */
export function readNodeBody(
  request: NodeRequest,
  limit: number,
  onBody: (body: RequestBody) => void,
  onError: (error: Error) => void,
): void {
  if (!hasBody(request)) onBody(null)
  else if (request.readableEnded) onBody(parsedBody(request, limit))
  else if (request.destroyed) onError(request.errored ?? new Error('aborted'))
  else collectBody(request, limit, onBody, onError)
}

function collectBody(...[request, limit, onBody, onError]: Parameters<typeof readNodeBody>): void {
  let chunks: Buffer[] = []
  let size = 0
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > limit) chunks = []
    else chunks.push(chunk)
  })
  request.on('end', () => {
    if (size > limit) return onBody({ omitted: size })
    onBody(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks))
  })
  request.on('error', onError)
}

/** Reads the body of a request, up to a limit in bytes. @throws Error if the client disconnects before the end */
export function readWholeBody(request: NodeRequest, limit: number): Promise<RequestBody> {
  return new Promise((resolve, reject) => readNodeBody(request, limit, resolve, reject))
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

function toText(body: unknown, isForm: boolean): string {
  if (typeof body === 'string') return body
  return isForm ? writeQuery(Object.entries(body as Record<string, string>)) : JSON.stringify(body)
}

/** From about 128 KiB on, Node writes a text six times slower than its bytes. */
const longText = 128 * 1024

/** All but the longest pages of rows fit into it. */
const pageSize = 128 * 1024

/**
 * Buffers that pages are written from, one after the other. A new buffer for each page costs more than its text: it is memory
 * outside of the heap, which the collector frees late.
 */
export class PageBuffers {
  readonly #free: Buffer[] = []

  take(bytes: number): Buffer {
    if (bytes > pageSize) return Buffer.allocUnsafe(bytes)
    return this.#free.pop() ?? Buffer.allocUnsafeSlow(pageSize)
  }

  /** Call it when the page has been sent. */
  giveBack(buffer: Buffer): void {
    if (buffer.length === pageSize && this.#free.length < 32) this.#free.push(buffer)
  }
}

/** Writes a response. @param buffers those of a server that writes many pages */
export function writeResponse(
  nodeResponse: ServerResponse,
  response: ApiResponse,
  buffers?: PageBuffers,
): void {
  const { status, body } = response
  if (status === 0) {
    resetConnection(nodeResponse)
    return
  }
  nodeResponse.writeHead(status, sentHeaders(response))
  if (isBodyFaulty(response)) writeStream(nodeResponse, streamBody(response))
  else if (body instanceof JsonText && body.rows.length > 0) {
    writePage(nodeResponse, body, buffers)
  } else if (!isStream(body)) endWith(nodeResponse, toWritable(body))
  else if (nodeResponse.req.method === 'HEAD') nodeResponse.end()
  else writeStream(nodeResponse, body)
}

function writePage(
  nodeResponse: ServerResponse,
  page: JsonText<unknown>,
  buffers: PageBuffers | undefined,
): void {
  // A middleware that replaces `write` can keep what is written, and a response that waits is written later.
  const isSentAtOnce = nodeResponse.socket && nodeResponse.write === ServerResponse.prototype.write
  if (buffers && isSentAtOnce) {
    const buffer = buffers.take(page.bytes)
    endWith(nodeResponse, encodeRows(page, buffer), () => buffers.giveBack(buffer))
  } else endWith(nodeResponse, encodeRows(page, Buffer.allocUnsafe(page.bytes)))
}

/** Node's `end(body)` also writes an empty text: both together cost a third more than the body alone. */
function endWith(
  nodeResponse: ServerResponse,
  body: string | Uint8Array,
  onSent?: () => void,
): void {
  const { socket } = nodeResponse
  // A response that waits for an earlier one of its connection has no socket yet.
  if (!socket || body.length === 0) return void nodeResponse.end(body)
  socket.cork()
  nodeResponse.write(body, onSent)
  socket.uncork()
  nodeResponse.end()
}

function toWritable(body: ApiResponse['body']): string | Uint8Array {
  if (ArrayBuffer.isView(body)) return body
  const text = bodyText(body)
  return text.length > longText ? Buffer.from(text) : text
}

const comma = ','.charCodeAt(0)

/** A text of all rows would be copied twice more. */
function encodeRows({ start, rows, end, bytes }: JsonText<unknown>, buffer: Buffer): Buffer {
  let length = buffer.write(start)
  for (const row of rows) {
    length += buffer.write(row.text, length)
    buffer[length++] = comma
  }
  // In the place of the last comma.
  buffer.write(end, length - 1)
  return buffer.subarray(0, bytes)
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
function closeAfterWrites(nodeResponse: ServerResponse): void {
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

type Send = (nodeResponse: ServerResponse, response: ApiResponse) => void

/** The mock timers of node:test replace even this one, if a test enables them before it imports this module. */
const isReplaced = !(promisify.custom in setImmediate)
const atEndOfTurn = isReplaced ? (run: () => void) => void nextTurn().then(run) : setImmediate

/**
 * Sends the responses of one turn of the event loop together, at its end.
 *
 * @param send must not throw
 * @note A busy server reads many requests in one turn. A response that is written alone wakes a client that sleeps, which
 * costs as much as the rest of a small request.
 */
export function sendTogether(send: Send): Send {
  let waiting: Parameters<Send>[] = []
  const sendAll = (): void => {
    const all = waiting
    waiting = []
    for (const [nodeResponse, response] of all) send(nodeResponse, response)
  }
  return (nodeResponse, response) => {
    if (waiting.push([nodeResponse, response]) === 1) atEndOfTurn(sendAll)
  }
}
