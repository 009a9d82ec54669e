import type { ServerResponse } from 'node:http'
import { createHeaders, sendResponse } from '@remix-run/node-fetch-server'
import type { RequestHandler } from 'msw'
import { Failure } from '../../http/failures.ts'
import type { ApiRequest } from '../../http/messages.ts'
import { type ApiHandler, type RequestMatch, toApiHandler } from '../endpoint-handler.ts'
import { attachServerInfo } from '../fetch.ts'
import {
  hasBody,
  NodeApiRequest,
  type NodeRequest,
  readWholeBody,
  requestOrigin,
  requestUrl,
  toAbsoluteUrl,
} from './node-request.ts'
import { resetConnection, respondWithFailure } from './write-response.ts'

interface RunOptions {
  /** The largest body for handlers that are not of this package, in bytes */
  readonly bodyLimit: number
  readonly onError: (error: unknown) => void
}

/**
 * Runs MSW handlers in order, through MSW's public `run`, with a real Request.
 *
 * @returns `passed` if a handler passed the request through, `unmatched` if no handler matched
 */
export async function runMswHandlers(
  handlers: readonly RequestHandler[],
  nodeRequest: NodeRequest,
  nodeResponse: ServerResponse,
  { onError, bodyLimit }: RunOptions,
): Promise<'responded' | 'passed' | 'unmatched'> {
  const apiHandlers = handlers.map(toApiHandler)
  const match = findMatch(apiHandlers, nodeRequest)
  // Whether any other handler matches is known only after it ran.
  if (!match && apiHandlers.every(Boolean)) return 'unmatched'
  try {
    const limit = match?.bodyLimit ?? bodyLimit
    const body = hasBody(nodeRequest) ? await readWholeBody(nodeRequest, limit) : null
    if (body === 'too_large' && !match) throw new Failure('body_too_large')
    const request = toRequest(nodeRequest, nodeResponse, body)
    const resolutionContext = { baseUrl: requestOrigin(nodeRequest) }
    for (const handler of handlers) {
      const requestId = crypto.randomUUID()
      const result = await handler.run({ request, requestId, resolutionContext })
      if (result?.response === undefined) continue
      if (result.response.headers.get('x-msw-intention') === 'passthrough') return 'passed'
      // Response.error() is MSW's network error: the connection is reset and nothing is written.
      if (result.response.type === 'error') resetConnection(nodeResponse)
      else await sendResponse(nodeResponse, result.response)
      return 'responded'
    }
    return 'unmatched'
  } catch (error) {
    respondWithFailure(nodeResponse, error, onError)
    return 'responded'
  }
}

function findMatch(
  apiHandlers: readonly (ApiHandler | null)[],
  nodeRequest: NodeRequest,
): RequestMatch | null {
  const { method = 'GET', url = '/' } = nodeRequest
  const request = new NodeApiRequest(nodeRequest)
  for (const handler of apiHandlers) {
    const match = handler?.match(method, url, request)
    if (match) return match
  }
  return null
}

/** Creates a fetch request. Its body was read before, and stays on the Node request for later middleware. */
function toRequest(
  nodeRequest: NodeRequest,
  nodeResponse: ServerResponse,
  body: ApiRequest['body'],
): Request {
  const { method = 'GET', url = '/' } = nodeRequest
  const isTooLarge = body === 'too_large'
  if (!isTooLarge) nodeRequest.body ??= body ?? undefined
  const abort = new AbortController()
  nodeResponse.once('close', () => {
    if (!nodeResponse.writableFinished) abort.abort()
  })
  const request = new Request(toAbsoluteUrl(nodeRequest, url), {
    method,
    headers: createHeaders(nodeRequest),
    body: isTooLarge ? null : (body as BodyInit | null),
    signal: abort.signal,
  })
  return attachServerInfo(request, { url: requestUrl(nodeRequest), isTooLarge })
}
