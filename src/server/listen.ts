import { setMaxListeners } from 'node:events'
import { createServer, IncomingMessage, ServerResponse } from 'node:http'
import express from 'express'
import type { RequestHandler } from 'msw'
import * as z from 'zod'
import {
  createMiddleware,
  type ExpressOptions,
  expressOptions,
} from '../adapters/express/express.ts'
import {
  type ClientSocket,
  followConnections,
  NodeApiRequest,
  type NodeRequest,
  writeResponse,
} from '../adapters/express/node-http.ts'
import { checkHandlers } from '../adapters/user-handlers.ts'
import { Failure } from '../http/failures.ts'
import { exposedHeaders, failureResponse, receivedTarget } from '../http/messages.ts'
import { baseUrlPattern, compilePaths, splitSandboxPath, toBaseUrl } from '../http/route.ts'
import { resolveSettings } from '../settings/resolve.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { roomForSent } from '../utils/body-budget.ts'
import { createErrorReporter } from '../utils/error-reporter.ts'
import { checkOptions, option, optionsSchema } from '../utils/options.ts'
import { serveAdmin } from './admin.ts'
import { bindServer, closeServer } from './bind.ts'
import { dashboardPages, helpText } from './dashboard-pages.ts'
import { createForwarding, type ForwardOptions } from './forwarding.ts'
import { createGuard } from './guard.ts'
import { serveDocuments } from './openapi-document.ts'
import type { RunningServer } from './running-server.ts'

/** Options of `listen`. */
export interface ListenOptions extends ExpressOptions, ForwardOptions {
  /** The port. By default 0, which selects any free port. */
  readonly port?: number
  /** Express middleware that runs before the simulator: a header, a log, a router of your own. */
  readonly use?: readonly ExpressMiddleware[]
  /** The address to bind. By default 127.0.0.1. */
  readonly host?: string
  /** MSW handlers of your own, which run before those of the simulator, or a function of the simulator that returns them. */
  readonly handlers?: UserHandlersOption
  /** The token of the admin API. Without one, the admin API, but its health, requires that `host` is a loopback address. */
  readonly token?: string
  /** A folder of scenarios for the admin API, besides those of the package. */
  readonly scenarios?: string
  /** The name of the world or file that is served. The admin API says it. */
  readonly world?: string
  /** Called for each request to an unknown path that is not forwarded. */
  readonly onNotFound?: (method: string, url: string) => void
}

type UserHandlersOption =
  | readonly RequestHandler[]
  | ((simulator: Simulator) => readonly RequestHandler[])

const listenSchema = optionsSchema<ListenOptions>({
  ...expressOptions,
  // Without a host, Node would listen on every address.
  host: option.is(
    'an address such as 127.0.0.1',
    (host) => typeof host === 'string' && host !== '',
  ),
  handlers: option.any,
  // What an HTTP header can contain.
  token: option.is(
    'ASCII letters, digits and symbols, without spaces around them',
    (token) => typeof token === 'string' && /^[!-~](?:[ -~]*[!-~])?$/.test(token),
  ),
  scenarios: option.text,
  forward: option.text,
  onForward: option.callback,
  world: option.text,
  onNotFound: option.callback,
  port: z.int().min(0).max(65_535),
  use: option.callbacks,
})

const closeSchema = optionsSchema<{ timeout: number }>({ timeout: option.count })

/** Picks the options of `listen` from a larger object, such as the flags of a command. */
export function pickListenOptions(source: object): ListenOptions {
  const entries = Object.entries(source).filter(([name]) => name in listenSchema.shape)
  return Object.fromEntries(entries)
}

/** Declared as a method, so that handlers typed with Express's own Request and Response fit. */
type ExpressMiddleware = {
  handle(request: NodeRequest, response: ServerResponse, next: (error?: unknown) => void): unknown
}['handle']

/**
 * Serves a simulator over HTTP.
 *
 * @throws UsageError for an unknown option, and for one that cannot be used
 * @throws Error with Node's code, such as EADDRINUSE for a port that is in use
 * @example
 * const server = await listen(simulator, { port: 0 })
 * await fetch(`${server.url}/api/projects/`)
 * await server.close()
 */
export async function listen(
  simulator: Simulator,
  options: ListenOptions = {},
): Promise<RunningServer> {
  checkOptions(listenSchema, options, 'listen')
  const { port = 0, host = '127.0.0.1', scenarios, use = [] } = options
  const closed = new AbortController()
  try {
    // Each request that waits adds a listener.
    setMaxListeners(0, closed.signal)
  } catch {
    // Happy DOM has signals of its own, without a limit.
  }
  const middleware = createServerMiddleware(simulator, options, closed.signal)
  // Throws if the folder cannot be read.
  if (scenarios !== undefined) {
    const { listScenarioNames } = await import('../scenarios/library.ts')
    await listScenarioNames(scenarios)
  }
  const { app, classes } = createApplication()
  for (const handler of use) app.use(handler as express.RequestHandler)
  app.use(middleware as express.RequestHandler)
  const server = createServer(classes, app)
  followConnections(server)
  simulator.state.memory.limitHeld(roomForSent())
  const bound = await bindServer(server, port, host)
  const close: RunningServer['close'] = async (closeOptions = {}) => {
    checkOptions(closeSchema, closeOptions, 'close the server')
    // Ends streams of events.
    closed.abort()
    // A server that stops takes no request to continue them, so it would wait for their timeouts.
    for (const [{ faults }] of simulator.worlds) faults.release()
    await closeServer(server, closeOptions.timeout)
  }
  return { ...bound, close }
}

/**
 * Creates an Express application whose requests and responses are born with the methods of Express.
 *
 * @note Express sets the prototype of each request and response to `app.request` and `app.response`, except if they have it.
 * To change it would cost several times what Node itself takes for a request.
 */
function createApplication() {
  const app = express().disable('x-powered-by').disable('etag')
  class Request extends IncomingMessage {}
  class Response extends ServerResponse {}
  Object.setPrototypeOf(Request.prototype, app.request)
  Object.setPrototypeOf(Response.prototype, app.response)
  Object.assign(app, { request: Request.prototype, response: Response.prototype })
  return { app, classes: { IncomingMessage: Request, ServerResponse: Response } as object }
}

type Respond = (request: NodeRequest, response: ServerResponse) => void

/** Creates the middleware of a server: the admin API, the API, and the pages. @param closed aborts when the server closes */
function createServerMiddleware(
  simulator: Simulator,
  options: ListenOptions,
  closed: AbortSignal,
): Respond {
  const report = createErrorReporter(options.onError)
  const guard = createGuard(options.host ?? '127.0.0.1', options.token)
  if (options.token !== undefined) simulator.state.hide(options.token)
  const { handlers: given = [] } = options
  const own = typeof given === 'function' ? given(simulator) : given
  const handlers = [...checkHandlers(own, 'listen'), ...simulator.handlers]
  const api = createMiddleware(handlers, { ...options, onError: report, isolatesPages: true })
  const admin = serveAdmin(simulator, { ...options, guard, report, closed })
  const pages = dashboardPages(guard, admin.load)
  const prefix = new URL(simulator.url).pathname.replace(/\/$/, '')
  const help = helpText(prefix, !guard.isExposed || guard.verifyToken !== undefined)
  const document = serveDocuments(simulator, report)
  const forwardOn = options.forward === undefined ? null : createForwarding(simulator, options)
  const isOwn = forwardOn ? createOwnPathTest(simulator) : () => true

  /** What no handler of the API matches. */
  const respondToOthers = (
    request: NodeRequest,
    response: ServerResponse,
    isPassedThrough: boolean,
    corsHeaders: readonly string[],
  ) => {
    const { url = '/' } = request
    if (document(request, response)) return
    if (forwardOn && (isPassedThrough || !isOwn(url))) {
      // The service has its own.
      for (const name of corsHeaders) response.removeHeader(name)
      forwardOn(request, response)
      return
    }
    pages(request, response, () => {
      if (isHelpRequest(request) && !isPassedThrough) sendHelp(response, help)
      else sendNotFound(simulator, request, response, isPassedThrough, options)
    })
  }

  return inOrder((request, response) => {
    // The URL of a sandbox begins with the base URL.
    const below = request.url?.startsWith(prefix) ? request.url.slice(prefix.length) : ''
    if (isAdminUrl(below)) request.url = below
    const { url = '/' } = request
    if (isAdminUrl(url)) {
      if (document(request, response)) return
      pages(request, response, () => admin.respond(request, response))
      return
    }
    if (isPreflight(request) && isOwn(url)) return sendPreflight(request, response)
    const isOfPage = request.headers.origin !== undefined
    const corsHeaders = isOfPage ? allowOrigin(response) : []
    api(request, response, (_error, isPassedThrough = false) => {
      respondToOthers(request, response, isPassedThrough, corsHeaders)
    })
  })
}

/** Answers a request when the client has got the response before it. Until then, the server reads few others of its connection. */
function inOrder(respond: Respond): Respond {
  return (request, response) => {
    const socket: ClientSocket = request.socket
    const before = socket.latest
    socket.latest = response
    if (!before || before.writableFinished || before.destroyed) return respond(request, response)
    // Node reads on when it has parsed the request.
    process.nextTick(() => socket.pause())
    before.once('close', () => {
      if (socket.latest === response) socket.resume()
      respond(request, response)
    })
  }
}

/** Creates a test for URLs that are never forwarded: those of the API, also disabled ones. */
function createOwnPathTest({ apiHandlers, sandboxes }: Simulator): (url: string) => boolean {
  const [{ base } = { base: toBaseUrl('*') }] = apiHandlers
  const find = compilePaths(apiHandlers, base)
  return (url) => {
    const [path = '/'] = receivedTarget(url).split('?')
    const { sandboxId } = splitSandboxPath(path)
    if (sandboxId !== undefined && sandboxes.get(sandboxId) === undefined) return true
    return path === '*' || find(url) !== null
  }
}

/**
 * Responses of the API may be read by pages of any origin, without credentials, unless the user's middleware says otherwise.
 *
 * @returns the names of the headers that it set
 */
function allowOrigin(response: ServerResponse) {
  const headers = {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': exposedHeaders,
  }
  return Object.entries(headers).flatMap(([name, value]) => {
    if (response.hasHeader(name)) return []
    response.setHeader(name, value)
    return name
  })
}

/** Inferred from django-cors-headers: the origin does not matter, and the response is an empty 200. */
function sendPreflight({ headers }: NodeRequest, response: ServerResponse) {
  const names = headers['access-control-request-headers']
  response.writeHead(200, {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET,HEAD,PUT,PATCH,POST,DELETE',
    ...(names && { 'access-control-allow-headers': names }),
    vary: 'Access-Control-Request-Headers',
    'content-length': 0,
  })
  response.end()
}

function isPreflight({ method, headers }: NodeRequest) {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}

/** The admin API of the server or of a sandbox, as a path or as an absolute URL. */
const adminUrl = new RegExp(`^${baseUrlPattern(toBaseUrl('*'))}/__admin(?:[/?#]|$)`, 'i')

/** Searching first is cheaper: requests of the API do not contain the path at all. */
function isAdminUrl(url: string) {
  return url.includes('__admin') && adminUrl.test(url)
}

/** Whether a request is for the help: `/` is no path of the API, so it comes from a person or a health check. */
function isHelpRequest({ method, url = '/' }: NodeRequest) {
  return (method === 'GET' || method === 'HEAD') && /^\/(?:\?|$)/.test(url)
}

function sendHelp(response: ServerResponse, help: string) {
  response.writeHead(200, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(help),
    vary: 'accept',
  })
  response.end(help)
}

/** The response to what no handler answers. Like the other responses of handlers, a 501 is not in the journal. */
function sendNotFound(
  simulator: Simulator,
  request: NodeRequest,
  response: ServerResponse,
  isPassedThrough: boolean,
  { onNotFound }: ListenOptions,
) {
  const { method = 'GET', url = '/' } = request
  if (isPassedThrough) {
    const detail = 'A handler passed the request through, and the server forwards no requests.'
    const failure = failureResponse(new Failure('not_found', detail), resolveSettings())
    writeResponse(response, { ...failure, status: 501 })
    return
  }
  onNotFound?.(method, url)
  writeResponse(response, simulator.notFound(method, new NodeApiRequest(request)))
}
