import type { ServerResponse } from 'node:http'
import type { RequestHandler } from 'msw'
import { createErrorReporter } from '../../utils/report-error.ts'
import { type ApiHandler, EndpointHandler, toApiHandler } from '../endpoint-handler.ts'
import { toMswHandlers } from '../msw.ts'
import { LatestHeaders, NodeApiRequest, type NodeRequest } from './node-request.ts'
import { ResponseBatch, runEndpoint } from './run-endpoint.ts'
import { runMswHandlers } from './run-msw-handlers.ts'

/** How handlers run in Express. */
export interface ExpressOptions {
  /** `msw` runs every handler through MSW, as in-process. By default the handlers of a simulator run directly. */
  readonly lane?: 'direct' | 'msw'
  /** The largest body for handlers of your own, in bytes; by default 64 MiB. */
  readonly bodyLimit?: number
  /** Called when a handler throws. The client receives a 500. By default console.error. */
  readonly onError?: (error: unknown) => void
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
  return createMiddleware(handlers, options)
}

export function createMiddleware(
  handlers: readonly (RequestHandler | ApiHandler)[],
  options: ExpressOptions = {},
): HandlerMiddleware {
  const { lane = 'direct', bodyLimit = 64 * 1024 * 1024 } = options
  const onError = createErrorReporter(options.onError ?? console.error)
  const apiHandlers = handlers.map(toApiHandler)
  const firstMsw = lane === 'msw' ? 0 : apiHandlers.indexOf(null)
  const direct = nonNull(firstMsw < 0 ? apiHandlers : apiHandlers.slice(0, firstMsw))
  const all = nonNull(apiHandlers)
  const msw = firstMsw < 0 ? [] : handlers.slice(firstMsw).map(toRequestHandler)
  const headers = new LatestHeaders()
  const batch = new ResponseBatch(onError)

  return (nodeRequest, nodeResponse, next) => {
    const { method = 'GET', url = '/' } = nodeRequest
    const request = new NodeApiRequest(nodeRequest, headers.of(nodeRequest.headers))
    // TRACE cannot be a fetch Request, so only API handlers can serve it.
    const isTrace = method === 'TRACE'
    for (const handler of isTrace ? all : direct) {
      const match = handler.match(method, url, request)
      if (match) return runEndpoint(match, request, nodeResponse, batch)
    }
    if (msw.length === 0 || isTrace) return next()
    runMswHandlers(msw, nodeRequest, nodeResponse, { onError, bodyLimit }).then((outcome) => {
      if (outcome !== 'responded') next(undefined, outcome === 'passed')
    }, next)
  }
}

function nonNull(handlers: readonly (ApiHandler | null)[]): ApiHandler[] {
  return handlers.filter((handler) => handler !== null)
}

function toRequestHandler(handler: RequestHandler | ApiHandler): RequestHandler {
  const [mswHandler] = handler instanceof EndpointHandler ? toMswHandlers([handler]) : [handler]
  return mswHandler as RequestHandler
}
