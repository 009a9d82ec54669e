import type { ServerResponse } from 'node:http'
import { createHeaders, sendResponse } from '@remix-run/node-fetch-server'
import type { RequestHandler } from 'msw'
import { Failure } from '../../http/failures.ts'
import { type ApiRequest, isOmitted } from '../../http/messages.ts'
import { type ApiHandler, type RequestMatch, toApiHandler } from '../../http/route.ts'
import { type OptionNames, rejectUnknownFields } from '../../utils/errors.ts'
import { createErrorReporter } from '../../utils/report-error.ts'
import { isPassthrough } from '../fetch.ts'
import { OwnHandlers } from '../msw.ts'
import { isolateFetchedPage, isolatePage } from './isolate-page.ts'
import {
  type NodeRequest,
  readBody,
  requestOrigin,
  toAbsoluteUrl,
  toApiRequest,
} from './node-request.ts'
import { resetConnection, sendFailure, writeResponse } from './node-response.ts'

/** How handlers run in Express. */
export interface ExpressOptions {
  /** The largest body for handlers of your own, in bytes; by default 64 MiB. */
  readonly bodyLimit?: number
  /** Called when a handler throws. The client receives a 500. By default console.error. */
  readonly onError?: (error: unknown) => void
}

export const expressOptionNames: OptionNames<ExpressOptions> = {
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
type HandlerMiddleware = (
  request: NodeRequest,
  response: ServerResponse,
  next: (error?: unknown, isPassedThrough?: boolean) => void,
) => void

/** A handler of MSW, or one of this package that needs no MSW. */
type AnyHandler = RequestHandler | ApiHandler

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
  handlers: readonly AnyHandler[],
  options: MiddlewareOptions = {},
): HandlerMiddleware {
  const { bodyLimit = 64 * 1024 * 1024, isolatesPages = false } = options
  const onError = createErrorReporter(options.onError ?? console.error)
  const settings = { bodyLimit, isolatesPages }
  return (nodeRequest, nodeResponse, next) => {
    const request = toApiRequest(nodeRequest)
    const candidates = findCandidates(handlers, nodeRequest, request)
    if (candidates.length === 0) return next()
    respond(candidates, request, nodeRequest, nodeResponse, settings)
      .catch((error): Outcome => {
        // The client has gone away. A response that waits for an earlier one does not know that yet.
        if (nodeRequest.errored) nodeResponse.destroy()
        else sendFailure(nodeResponse, error, onError)
        return 'responded'
      })
      .then((outcome) => {
        if (outcome !== 'responded') next(undefined, outcome === 'passed')
      }, next)
  }
}

type Outcome = 'responded' | 'passed' | 'unmatched'

/** A handler of the API with its match, or a handler of MSW, whose match is known only after it ran. */
type Candidate = RequestMatch | RequestHandler

/** The handlers that can respond, in order. The first handler of the API that matches is the last of them. */
function findCandidates(
  handlers: readonly AnyHandler[],
  { method = 'GET', url = '/' }: NodeRequest,
  request: ApiRequest,
): Candidate[] {
  const candidates: Candidate[] = []
  for (const handler of handlers) {
    const match = toApiHandler(handler)?.match(method, url, request)
    if (match) return [...candidates, match]
    if (match === undefined && canRun(handler as RequestHandler, method, url)) {
      candidates.push(handler as RequestHandler)
    }
  }
  return candidates
}

/**
 * TRACE cannot be a fetch Request, so only handlers of the API can serve it. MSW throws for a path that cannot be
 * decoded.
 */
function canRun(handler: RequestHandler, method: string, url: string): boolean {
  if (method === 'TRACE' || !isDecodable(url)) return false
  return !(handler instanceof OwnHandlers) || handler.current.length > 0
}

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url)
    return true
  } catch {
    return false
  }
}

async function respond(
  candidates: readonly Candidate[],
  head: ApiRequest,
  nodeRequest: NodeRequest,
  nodeResponse: ServerResponse,
  { bodyLimit, isolatesPages }: { readonly bodyLimit: number; readonly isolatesPages: boolean },
): Promise<Outcome> {
  const last = candidates.at(-1) as Candidate
  const body = await readBody(nodeRequest, 'bodyLimit' in last ? last.bodyLimit : bodyLimit)
  const request = { ...head, body }
  if (isOmitted(request.body) && 'run' in last) throw new Failure('body_too_large')
  let fetched: Request | undefined
  const resolutionContext = { baseUrl: requestOrigin(nodeRequest) }
  for (const candidate of candidates) {
    if ('handle' in candidate) {
      const response = await candidate.handle(request)
      writeResponse(nodeResponse, isolatesPages ? isolatePage(response) : response)
      return 'responded'
    }
    fetched ??= toFetchRequest(request, nodeRequest, nodeResponse)
    const args = { request: fetched, requestId: crypto.randomUUID(), resolutionContext }
    const response = (await candidate.run(args))?.response
    if (response === undefined) continue
    if (isPassthrough(response)) return 'passed'
    // Response.error() is MSW's network error: the connection is reset and nothing is written.
    if (response.type === 'error') resetConnection(nodeResponse)
    else await sendResponse(nodeResponse, isolatesPages ? isolateFetchedPage(response) : response)
    return 'responded'
  }
  return 'unmatched'
}

/** Creates a request for MSW. Its body was read before, and stays on the Node request for later middleware. */
function toFetchRequest(
  { method, body }: ApiRequest,
  nodeRequest: NodeRequest,
  nodeResponse: ServerResponse,
): Request {
  if (!isOmitted(body)) nodeRequest.body ??= body ?? undefined
  const abort = new AbortController()
  nodeResponse.once('close', () => {
    if (!nodeResponse.writableFinished) abort.abort()
  })
  // A fetch Request cannot have the body of a GET.
  const hasNoBody = isOmitted(body) || method === 'GET' || method === 'HEAD'
  // Below a mount path, handlers match the rest of the path.
  return new Request(toAbsoluteUrl(nodeRequest, nodeRequest.url ?? '/'), {
    method,
    headers: createHeaders(nodeRequest),
    body: hasNoBody ? null : (body as BodyInit | null),
    signal: abort.signal,
  })
}
