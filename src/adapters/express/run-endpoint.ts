import type { ServerResponse } from 'node:http'
// Not the global function, which fake timers replace: responses never wait for a test's clock.
import { setImmediate } from 'node:timers'
import { promisify } from 'node:util'
import { failureResponse } from '../../http/failure-response.ts'
import { Failure } from '../../http/failures.ts'
import {
  type ApiRequest,
  type ApiResponse,
  bodyText,
  isChunked,
  isSimulatedNetworkError,
  sentHeaders,
} from '../../http/messages.ts'
import type { RequestMatch } from '../../http/route.ts'
import { resolveSettings } from '../../settings/resolve.ts'
import { nextTurn } from '../../utils/wait.ts'
import { isolatePage } from './isolate-page.ts'
import { hasBody, type NodeApiRequest, readBody } from './node-request.ts'

export function runEndpoint(
  match: RequestMatch,
  request: NodeApiRequest,
  nodeResponse: ServerResponse,
  batch: ResponseBatch,
): void {
  const { nodeRequest } = request
  if (!hasBody(nodeRequest)) {
    handle(match, request, nodeResponse, batch)
    return
  }
  const onBody = (body: ApiRequest['body']) => {
    request.body = body
    handle(match, request, nodeResponse, batch)
  }
  // The client has gone away, so there is no connection to respond on.
  readBody(nodeRequest, match.bodyLimit, onBody, () => nodeResponse.destroy())
}

function handle(
  match: RequestMatch,
  request: NodeApiRequest,
  nodeResponse: ServerResponse,
  batch: ResponseBatch,
): void {
  try {
    const response = match.handle(request)
    if (!(response instanceof Promise)) batch.add(nodeResponse, response)
    else {
      response.then(
        (resolved) => batch.add(nodeResponse, resolved),
        (error) => batch.fail(nodeResponse, error),
      )
    }
  } catch (error) {
    batch.fail(nodeResponse, error)
  }
}

/** The mock timers of node:test replace even this function, if a test enables them before it imports this module. */
const isFake = !(promisify.custom in setImmediate)
const atEndOfTurn = isFake ? (run: () => void) => void nextTurn().then(run) : setImmediate

/**
 * Sends the responses of one turn of the event loop together, at its end.
 *
 * @note A busy server reads many requests in one turn. Each response that is written alone wakes a sleeping client,
 * which costs the server as much as making a small response. Written together, many responses wake it once.
 */
export class ResponseBatch {
  readonly #onError: (error: unknown) => void
  readonly #isolatesPages: boolean
  #nodeResponses: ServerResponse[] = []
  #responses: ApiResponse[] = []

  /**
   * @param onError called with exceptions; the client receives a 500
   * @param isolatesPages whether pages get an origin of their own
   */
  constructor(onError: (error: unknown) => void, isolatesPages = false) {
    this.#onError = onError
    this.#isolatesPages = isolatesPages
  }

  add(nodeResponse: ServerResponse, response: ApiResponse): void {
    this.#nodeResponses.push(nodeResponse)
    this.#responses.push(response)
    if (this.#responses.length === 1) atEndOfTurn(this.#flush)
  }

  /** Responds with the failure that an exception stands for, at once. */
  fail(nodeResponse: ServerResponse, error: unknown): void {
    respondWithFailure(nodeResponse, error, this.#onError)
  }

  readonly #flush = (): void => {
    const [nodeResponses, responses] = [this.#nodeResponses, this.#responses]
    this.#nodeResponses = []
    this.#responses = []
    for (let index = 0; index < responses.length; index++) {
      this.#send(nodeResponses[index] as ServerResponse, responses[index] as ApiResponse)
    }
  }

  #send(nodeResponse: ServerResponse, response: ApiResponse): void {
    try {
      writeResponse(nodeResponse, this.#isolatesPages ? isolatePage(response) : response)
    } catch (error) {
      // Node checks header values only when it writes them.
      this.fail(nodeResponse, error)
    }
  }
}

/** Writes a response. */
export function writeResponse(nodeResponse: ServerResponse, response: ApiResponse): void {
  const { status, body } = response
  if (status === 0) {
    resetConnection(nodeResponse)
    return
  }
  nodeResponse.writeHead(status, sentHeaders(response, Buffer.byteLength))
  if (isChunked(body)) {
    if (nodeResponse.req.method === 'HEAD') nodeResponse.end()
    else writeStream(nodeResponse, body)
  } else if (body instanceof Uint8Array) nodeResponse.end(body)
  else {
    const text = bodyText(body)
    // Node writes ASCII faster if it need not look for other characters.
    nodeResponse.end(text, Buffer.byteLength(text) === text.length ? 'latin1' : 'utf8')
  }
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
  stream: AsyncIterable<Uint8Array>,
): Promise<void> {
  nodeResponse.flushHeaders()
  const chunks = stream[Symbol.asyncIterator]()
  nodeResponse.once('close', () => void chunks.return?.().catch(() => {}))
  try {
    for (;;) {
      const { done, value } = await chunks.next()
      if (done) break
      // The response can be closed before the listener was added.
      if (nodeResponse.destroyed) return void (await chunks.return?.())
      await writeChunk(nodeResponse, value)
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
 * Ends a request after an exception: with the response of a thrown `Failure`, or else with a 500. Responses that have
 * already started are cut off.
 *
 * @param onError called with any exception that is not a `Failure`
 */
export function respondWithFailure(
  nodeResponse: ServerResponse,
  error: unknown,
  onError: (error: unknown) => void,
): void {
  if (nodeResponse.destroyed) return
  const failure = error instanceof Failure ? error : new Failure('server_error')
  if (error !== failure && !isSimulatedNetworkError(error)) onError(error)
  if (nodeResponse.headersSent) closeAfterWrites(nodeResponse)
  else writeResponse(nodeResponse, failureResponse(failure, resolveSettings()))
}
