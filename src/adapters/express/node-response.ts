import { ServerResponse } from 'node:http'
// Not the global function, which fake timers replace.
import { setImmediate } from 'node:timers'
import { promisify } from 'node:util'
import { failureResponse } from '../../http/failure-response.ts'
import { Failure } from '../../http/failures.ts'
import {
  type ApiResponse,
  bodyText,
  isBodyFaulty,
  isSimulatedNetworkError,
  isStream,
  sentHeaders,
} from '../../http/messages.ts'
import { resolveSettings } from '../../settings/resolve.ts'
import { JsonText } from '../../utils/json.ts'
import { nextTurn } from '../../utils/wait.ts'
import { streamBody } from '../body-stream.ts'

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
