import type { ServerResponse } from 'node:http'
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

export function writeResponse(nodeResponse: ServerResponse, response: ApiResponse): void {
  const { status, body } = response
  if (status === 0) {
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
function endWith(nodeResponse: ServerResponse, body: ApiResponse['body']): void {
  const { socket } = nodeResponse
  // A response that waits for an earlier one of its connection has no socket yet.
  socket?.cork()
  if (body instanceof JsonText && body.parts) writeParts(nodeResponse, body.parts)
  else if (ArrayBuffer.isView(body)) nodeResponse.write(body)
  else writeText(nodeResponse, bodyText(body), body instanceof JsonText ? body.bytes : undefined)
  socket?.uncork()
  nodeResponse.end()
}

/** Middleware that replaces `write` gets buffers of its own, whose text is that of the response. */
function writeParts(nodeResponse: ServerResponse, parts: readonly (string | Uint8Array)[]): void {
  const isReplaced = Object.hasOwn(nodeResponse, 'write')
  for (const part of parts) {
    if (typeof part === 'string') nodeResponse.write(part)
    else if (isReplaced) nodeResponse.write(Buffer.from(part))
    else nodeResponse.write(part)
  }
}

/** Node writes a text of ASCII faster as Latin-1, which is the same. @param bytes the length in UTF-8, if it is known */
function writeText(nodeResponse: ServerResponse, text: string, bytes?: number): void {
  const encoding = bytes === text.length ? 'latin1' : 'utf8'
  if (text.length > longText) nodeResponse.write(Buffer.from(text, encoding))
  else if (text.length > 0) nodeResponse.write(text, encoding)
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
