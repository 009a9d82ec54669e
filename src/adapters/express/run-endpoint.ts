import type { ServerResponse } from 'node:http'
// Not the global function, which fake timers replace: responses never wait for a test's clock.
import { setImmediate } from 'node:timers'
import type { ApiRequest, ApiResponse } from '../../http/messages.ts'
import type { RequestMatch } from '../endpoint-handler.ts'
import { hasBody, type NodeApiRequest, readBody } from './node-request.ts'
import { respondWithFailure, writeResponse } from './write-response.ts'

/** Runs a matched endpoint on plain values, without creating a Request and a Response. */
export function runEndpoint(
  match: RequestMatch,
  request: NodeApiRequest,
  nodeResponse: ServerResponse,
  batch: ResponseBatch,
): void {
  if (!hasBody(request.nodeRequest)) {
    handle(match, request, nodeResponse, batch)
    return
  }
  const onBody = (body: ApiRequest['body']) => {
    request.body = body
    handle(match, request, nodeResponse, batch)
  }
  // The client has gone away, so there is no connection to respond on.
  readBody(request.nodeRequest, match.bodyLimit, onBody, () => nodeResponse.destroy())
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

/**
 * Sends the responses of one turn of the event loop together, at its end.
 *
 * @note A busy server reads many requests in one turn. Each response that is written alone wakes a sleeping client,
 * which costs the server as much as making a small response. Written together, many responses wake it once.
 */
export class ResponseBatch {
  readonly #onError: (error: unknown) => void
  #nodeResponses: ServerResponse[] = []
  #responses: ApiResponse[] = []

  /** @param onError called with exceptions; the client receives a 500 */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  add(nodeResponse: ServerResponse, response: ApiResponse): void {
    this.#nodeResponses.push(nodeResponse)
    this.#responses.push(response)
    if (this.#responses.length === 1) setImmediate(this.#flush)
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
      writeResponse(nodeResponse, response)
    } catch (error) {
      // Node checks header values only when it writes them.
      this.fail(nodeResponse, error)
    }
  }
}
