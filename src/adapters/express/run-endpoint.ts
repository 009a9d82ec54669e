import type { ServerResponse } from 'node:http'
import type { ApiRequest } from '../../http/messages.ts'
import type { RequestMatch } from '../endpoint-handler.ts'
import type { NodeApiRequest } from './node-request.ts'
import { hasBody, readBody } from './read-body.ts'
import type { ResponseBatch } from './response-batch.ts'

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
