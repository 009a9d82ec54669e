import type { ServerResponse } from 'node:http'
// Not the global function, which fake timers replace.
import { setImmediate } from 'node:timers'
import { promisify } from 'node:util'
import { createHeaders, sendResponse } from '@remix-run/node-fetch-server'
import type { RequestHandler } from 'msw'
import type { Call } from '../../http/endpoint.ts'
import type { HeaderPair } from '../../http/exchange.ts'
import { Failure } from '../../http/failures.ts'
import { type ApiResponse, isOmitted, type RequestBody } from '../../http/messages.ts'
import {
  type ApiHandler,
  compileHandlers,
  type MatchRequest,
  toApiHandler,
} from '../../http/route.ts'
import { createErrorReporter } from '../../utils/error-reporter.ts'
import { checkOptions, type OptionSchemas, option, optionsSchema } from '../../utils/options.ts'
import { nextTurn } from '../../utils/wait.ts'
import { isPassthrough } from '../fetch.ts'
import { checkHandlers, runningHandlers, type UserHandler } from '../user-handlers.ts'
import {
  NodeApiRequest,
  type NodeRequest,
  readNodeBody,
  readWholeBody,
  requestOrigin,
  resetConnection,
  sendError,
  writeResponse,
} from './node-http.ts'

/** How handlers run in Express. */
export interface ExpressOptions {
  /** The largest body for handlers of your own, in bytes; by default 64 MiB. */
  readonly bodyLimit?: number
  /** Called when a handler throws. The client receives a 500. By default console.error. */
  readonly onError?: (error: unknown) => void
}

export const expressOptions: OptionSchemas<ExpressOptions> = {
  bodyLimit: option.count,
  onError: option.callback,
}

const expressSchema = optionsSchema(expressOptions)

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

/**
 * Converts MSW handlers to Express middleware. The first matching handler responds. Unmatched and passed-through
 * requests call `next()`. Your own handlers can come first. The middleware works below a mount path and after
 * `express.json()`.
 *
 * @throws UsageError for a value that is no list of MSW handlers, and for an unknown option
 * @example app.use(toExpress(simulator.handlers))
 */
export function toExpress(
  handlers: readonly RequestHandler[],
  options: ExpressOptions = {},
): Middleware {
  checkOptions(expressSchema, options, 'convert handlers')
  return createMiddleware(checkHandlers(handlers, 'convert handlers'), options)
}

interface MiddlewareOptions extends ExpressOptions {
  /** Whether pages get an origin of their own, because the server has an admin API. By default they do not. */
  readonly isolatesPages?: boolean
}

export function createMiddleware(
  handlers: readonly RequestHandler[],
  { bodyLimit = 64 * 1024 * 1024, isolatesPages = false, ...options }: MiddlewareOptions = {},
): HandlerMiddleware {
  const onError = createErrorReporter(options.onError ?? console.error)
  const steps = toSteps(handlers.filter((handler) => toApiHandler(handler) !== null))
  const fail = (nodeResponse: ServerResponse, error: unknown) => {
    // The client has gone away. A response that waits for an earlier one does not know that yet.
    if (nodeResponse.req.errored) nodeResponse.destroy()
    else sendError(nodeResponse, error, onError)
  }
  const send = sendTogether((nodeResponse, response) => {
    try {
      writeResponse(nodeResponse, isolatesPages ? isolatePage(response) : response)
    } catch (error) {
      fail(nodeResponse, error)
    }
  })
  const server: ServerTraits = { bodyLimit, isolatesPages, steps, send, fail }
  return (nodeRequest, nodeResponse, next) => {
    const exchange = new NodeExchange(nodeRequest, nodeResponse, server)
    const { before, match } = exchange
    if (before.length === 0) return match ? exchange.answer(match) : next()
    exchange.runHandlers().then(
      (outcome) => {
        if (outcome !== 'responded') next(undefined, outcome === 'passed')
      },
      (error) => fail(nodeResponse, error),
    )
  }
}

interface ServerTraits {
  readonly bodyLimit: number
  readonly isolatesPages: boolean
  readonly steps: readonly (RequestHandler | MatchRequest)[]
  send(nodeResponse: ServerResponse, response: ApiResponse): void
  fail(nodeResponse: ServerResponse, error: unknown): void
}

type Outcome = 'responded' | 'passed' | 'unmatched'

/** A request and its response, as Node and the API have them, and the handlers that can answer it. */
class NodeExchange {
  /** Handlers of MSW that come first. Only when they run do they say whether they match */
  readonly before: RequestHandler[] = []
  match: Call | null = null
  readonly #request: NodeApiRequest
  readonly #nodeRequest: NodeRequest
  readonly #nodeResponse: ServerResponse
  readonly #server: ServerTraits

  constructor(nodeRequest: NodeRequest, nodeResponse: ServerResponse, server: ServerTraits) {
    this.#request = new NodeApiRequest(nodeRequest, nodeResponse)
    this.#nodeRequest = nodeRequest
    this.#nodeResponse = nodeResponse
    this.#server = server
    const { method = 'GET', url = '/' } = nodeRequest
    // Handlers of this package are found by their paths, and run without MSW.
    for (const step of server.steps) {
      if (typeof step === 'function') this.match = step(url, this.#request)
      else if (canRun(step, method, url)) this.before.push(step)
      if (this.match) return
    }
  }

  /** Answers by a handler of the API. Nothing waits for a request without a body, or for a response without a fault. */
  answer(match: Call): void {
    const fail = (error: unknown) => this.#server.fail(this.#nodeResponse, error)
    const send = (response: ApiResponse) => this.#server.send(this.#nodeResponse, response)
    const read = (body: RequestBody) => {
      try {
        this.#request.body = body
        const response = match.handle(this.#request)
        if ('then' in response) response.then(send, fail)
        else send(response)
      } catch (error) {
        fail(error)
      }
    }
    readNodeBody(this.#nodeRequest, this.#nodeResponse, match.bodyLimit, read, fail)
  }

  /**
   * Runs handlers of MSW in order, and then the one of the API. They get bodies up to the limit of the server.
   *
   * @throws Failure `body_too_large` for a larger body
   */
  async runHandlers(): Promise<Outcome> {
    const { before, match } = this
    const [nodeRequest, nodeResponse] = [this.#nodeRequest, this.#nodeResponse]
    const { bodyLimit, isolatesPages, send } = this.#server
    const limit = Math.max(bodyLimit, match?.bodyLimit ?? 0)
    const body = await readWholeBody(nodeRequest, nodeResponse, limit)
    if (isOmitted(body)) throw new Failure('body_too_large')
    const args = {
      request: this.#toFetchRequest(body),
      requestId: crypto.randomUUID(),
      resolutionContext: { baseUrl: requestOrigin(nodeRequest) },
    }
    for (const handler of before) {
      const result = isUserHandler(handler) ? handler.run(args) : runningHandlers.run(handler, args)
      const response = (await result)?.response
      if (response === undefined) continue
      if (isPassthrough(response)) return 'passed'
      // Response.error() is MSW's network error: the connection is reset and nothing is written.
      if (response.type === 'error') resetConnection(nodeResponse)
      else await sendResponse(nodeResponse, isolatesPages ? isolateFetchedPage(response) : response)
      return 'responded'
    }
    if (!match) return 'unmatched'
    const isTooLarge = body !== null && body.length > match.bodyLimit
    this.#request.body = isTooLarge ? { omitted: body.length } : body
    send(nodeResponse, await match.handle(this.#request))
    return 'responded'
  }

  /** Creates a request for MSW. Its body was read before, and stays on the Node request for later middleware. */
  #toFetchRequest(body: Uint8Array | null) {
    const [nodeRequest, nodeResponse] = [this.#nodeRequest, this.#nodeResponse]
    const { method, headers } = this.#request
    nodeRequest.body ??= body ?? undefined
    const abort = new AbortController()
    nodeResponse.once('close', () => {
      if (!nodeResponse.writableFinished) abort.abort()
    })
    // Below a mount path, handlers match the rest of the path.
    return new Request(headers.toAbsoluteUrl(nodeRequest.url ?? '/'), {
      method,
      headers: createHeaders(nodeRequest),
      // A fetch Request cannot have the body of a GET.
      body: method === 'GET' || method === 'HEAD' ? null : (body as BodyInit | null),
      signal: abort.signal,
    })
  }
}

/** Handlers of the API that follow each other become one step. */
function toSteps(handlers: readonly RequestHandler[]): (RequestHandler | MatchRequest)[] {
  const first = handlers.findIndex(toApiHandler)
  if (first < 0) return [...handlers]
  const rest = handlers.slice(first)
  const count = rest.findIndex((handler) => !toApiHandler(handler))
  const group = count < 0 ? rest : rest.slice(0, count)
  const match = compileHandlers(group.map((handler) => toApiHandler(handler) as ApiHandler))
  return [...handlers.slice(0, first), match, ...toSteps(rest.slice(group.length))]
}

function isUserHandler(handler: RequestHandler): handler is UserHandler {
  return 'users' in handler
}

/**
 * TRACE cannot be a fetch Request, so only handlers of the API can serve it. MSW throws for a path that cannot be
 * decoded.
 */
function canRun(handler: RequestHandler, method: string, url: string) {
  if (isUserHandler(handler) && handler.users.current.length === 0) return false
  return method !== 'TRACE' && isDecodable(url)
}

function isDecodable(url: string) {
  try {
    decodeURIComponent(url)
    return true
  } catch {
    return false
  }
}

const header = 'content-security-policy'

/** A browser gives a page with this setting an origin of its own. Its scripts run, without cookies and storage. */
const setting = 'sandbox allow-downloads allow-forms allow-modals allow-popups allow-scripts'

/**
 * Whether a browser can take a response for a document with scripts. It guesses from the body if the type is missing,
 * unknown or no type at all.
 */
function isPage(contentType: string | null | undefined) {
  if (!contentType) return true
  return (
    /html|xml|xsl|multipart|unknown|\*/i.test(contentType) ||
    !/^\s*[^\s/,;]+\/[^\s/,;]/.test(contentType)
  )
}

/**
 * Adds the setting to a page that a file of the user or a fault brings along, so that it cannot use the admin API. A
 * setting that it has stays: a browser enforces both.
 */
function isolatePage(response: ApiResponse) {
  const { headers, body } = response
  const type = headers['content-type']
  if (type === 'application/json' || (type === undefined && body === null) || !isPage(type)) {
    return response
  }
  const { [header]: own } = headers
  return { ...response, headers: { ...headers, [header]: own ? `${own}, ${setting}` : setting } }
}

/** Does the same for the response of an MSW handler. */
function isolateFetchedPage(response: Response) {
  const type = response.headers.get('content-type')
  if ((type === null && response.body === null) || !isPage(type)) return response
  const isolated = new Response(response.body, response)
  isolated.headers.append(header, setting)
  return isolated
}

export function isolateForwardedPage(headers: readonly HeaderPair[]): HeaderPair[] {
  const types = headers.filter(([name]) => /^content-type$/i.test(name))
  const hasPage = types.length === 0 || types.some(([, type]) => isPage(type))
  return hasPage ? [...headers, [header, setting]] : [...headers]
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
function sendTogether(send: Send): Send {
  let waiting: Parameters<Send>[] = []
  const sendAll = () => {
    const all = waiting
    waiting = []
    for (const [nodeResponse, response] of all) send(nodeResponse, response)
  }
  return (nodeResponse, response) => {
    if (waiting.push([nodeResponse, response]) === 1) atEndOfTurn(sendAll)
  }
}
