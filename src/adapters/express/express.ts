import type { ServerResponse } from 'node:http'
import { createHeaders, sendResponse } from '@remix-run/node-fetch-server'
import type { RequestHandler } from 'msw'
import { Failure } from '../../http/failures.ts'
import { type ApiRequest, isOmitted } from '../../http/messages.ts'
import { type ApiHandler, type RequestMatch, toApiHandler } from '../../http/route.ts'
import { createErrorReporter } from '../../utils/report-error.ts'
import { type OptionNames, rejectUnknownFields } from '../../utils/usage-error.ts'
import { attachServerInfo, OwnHandlers, toMswHandlers } from '../fetch.ts'
import { isPassthrough } from '../handle-fetch.ts'
import { isolateFetchedPage } from './isolate-page.ts'
import {
  hasBody,
  LatestHeaders,
  NodeApiRequest,
  type NodeRequest,
  readWholeBody,
  requestOrigin,
  requestUrl,
  toAbsoluteUrl,
} from './node-request.ts'
import { ResponseBatch, resetConnection, respondWithFailure, runEndpoint } from './run-endpoint.ts'

/** How handlers run in Express. */
export interface ExpressOptions {
  /** `msw` runs every handler through MSW, as in-process. By default the handlers of a simulator run directly. */
  readonly lane?: 'direct' | 'msw'
  /** The largest body for handlers of your own, in bytes; by default 64 MiB. */
  readonly bodyLimit?: number
  /** Called when a handler throws. The client receives a 500. By default console.error. */
  readonly onError?: (error: unknown) => void
}

export const expressOptionNames: OptionNames<ExpressOptions> = {
  lane: true,
  bodyLimit: true,
  onError: true,
}

/** Express middleware, as `app.use` takes it. */
export type Middleware = (
  request: NodeRequest,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void

/** Middleware that also passes to `next` whether a handler passed the request through. */
export type HandlerMiddleware = (
  request: NodeRequest,
  response: ServerResponse,
  next: (error?: unknown, isPassedThrough?: boolean) => void,
) => void

/** A handler of MSW, or one of this package that needs no MSW. */
export type AnyHandler = RequestHandler | ApiHandler

/**
 * Converts MSW handlers to Express middleware. The first matching handler responds. Unmatched and passed-through
 * requests call `next()`. Your own handlers can come first. The middleware works below a mount path and after
 * `express.json()`.
 *
 * @example app.use(toExpress(simulator.handlers))
 */
export function toExpress(
  handlers: readonly RequestHandler[],
  options: ExpressOptions = {},
): Middleware {
  rejectUnknownFields(options, Object.keys(expressOptionNames), 'convert handlers')
  return createMiddleware(handlers, options)
}

/** How handlers run in a server. */
interface MiddlewareOptions extends ExpressOptions {
  /** Whether pages get an origin of their own, because the server has a control API. By default they do not. */
  readonly isolatesPages?: boolean
}

export function createMiddleware(
  all: readonly AnyHandler[],
  options: MiddlewareOptions = {},
): HandlerMiddleware {
  const { lane = 'direct', bodyLimit = 64 * 1024 * 1024, isolatesPages = false } = options
  const onError = createErrorReporter(options.onError ?? console.error)
  // Handlers of `simulator.use` run through MSW, which is slower, so that they are left out while there are none.
  const own = all.filter((handler) => handler instanceof OwnHandlers)
  const handlers = all.filter((handler) => !(handler instanceof OwnHandlers))
  let withOwn: RequestHandler[] | null = null
  const apiHandlers = handlers.map(toApiHandler)
  const firstMsw = lane === 'msw' ? 0 : apiHandlers.indexOf(null)
  const directHandlers = firstMsw < 0 ? apiHandlers : apiHandlers.slice(0, firstMsw)
  const direct = directHandlers.filter((handler) => handler !== null)
  const allDirect = apiHandlers.filter((handler) => handler !== null)
  const msw = firstMsw < 0 ? [] : handlers.slice(firstMsw).map(toRequestHandler)
  const headers = new LatestHeaders()
  const batch = new ResponseBatch(onError, isolatesPages)

  return (nodeRequest, nodeResponse, next) => {
    const { method = 'GET', url = '/' } = nodeRequest
    const request = new NodeApiRequest(nodeRequest, headers.of(nodeRequest.headers))
    // TRACE cannot be a fetch Request, so only API handlers can serve it.
    const isTrace = method === 'TRACE'
    const isOwnUsed = own.some(({ current }) => current.length > 0)
    if (isOwnUsed) withOwn ??= all.map(toRequestHandler)
    const last = isOwnUsed && withOwn ? withOwn : msw
    for (const handler of isTrace ? allDirect : isOwnUsed ? [] : direct) {
      const match = handler.match(method, url, request)
      if (match) return runEndpoint(match, request, nodeResponse, batch)
    }
    if (last.length === 0 || isTrace) return next()
    const settings = { onError, bodyLimit, isolatesPages }
    runMswHandlers(last, nodeRequest, nodeResponse, settings).then((outcome) => {
      if (outcome !== 'responded') next(undefined, outcome === 'passed')
    }, next)
  }
}

function toRequestHandler(handler: AnyHandler): RequestHandler {
  const [mswHandler] = 'run' in handler ? [handler] : toMswHandlers([handler])
  return mswHandler as RequestHandler
}

/** Runs MSW handlers in order. Returns `passed` if a handler passed the request through. */
async function runMswHandlers(
  handlers: readonly RequestHandler[],
  nodeRequest: NodeRequest,
  nodeResponse: ServerResponse,
  { onError, bodyLimit, isolatesPages }: Required<Omit<MiddlewareOptions, 'lane'>>,
): Promise<'responded' | 'passed' | 'unmatched'> {
  const apiHandlers = handlers.map(toApiHandler)
  const match = findMatch(apiHandlers, nodeRequest)
  // Whether any other handler matches is known only after it ran.
  if (!match && apiHandlers.every(Boolean)) return 'unmatched'
  try {
    const limit = match?.bodyLimit ?? bodyLimit
    const body = hasBody(nodeRequest) ? await readWholeBody(nodeRequest, limit) : null
    if (isOmitted(body) && !match) throw new Failure('body_too_large')
    const request = toRequest(nodeRequest, nodeResponse, body)
    const resolutionContext = { baseUrl: requestOrigin(nodeRequest) }
    for (const handler of handlers) {
      const requestId = crypto.randomUUID()
      const response = (await handler.run({ request, requestId, resolutionContext }))?.response
      if (response === undefined) continue
      if (isPassthrough(response)) return 'passed'
      // Response.error() is MSW's network error: the connection is reset and nothing is written.
      if (response.type === 'error') resetConnection(nodeResponse)
      else await sendResponse(nodeResponse, isolatesPages ? isolateFetchedPage(response) : response)
      return 'responded'
    }
    return 'unmatched'
  } catch (error) {
    // The client has gone away. A response that waits for an earlier one does not know that yet.
    if (nodeRequest.errored) nodeResponse.destroy()
    else respondWithFailure(nodeResponse, error, onError)
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
  const omitted = isOmitted(body) ? body.omitted : undefined
  if (omitted === undefined) nodeRequest.body ??= body ?? undefined
  const abort = new AbortController()
  nodeResponse.once('close', () => {
    if (!nodeResponse.writableFinished) abort.abort()
  })
  // A fetch Request cannot have the body of a GET.
  const hasNoBody = omitted !== undefined || method === 'GET' || method === 'HEAD'
  const request = new Request(toAbsoluteUrl(nodeRequest, url), {
    method,
    headers: createHeaders(nodeRequest),
    body: hasNoBody ? null : (body as BodyInit | null),
    signal: abort.signal,
  })
  return attachServerInfo(request, { url: requestUrl(nodeRequest), omitted })
}
