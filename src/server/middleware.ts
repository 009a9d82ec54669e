import type { ServerResponse } from 'node:http'
import type { RequestHandler } from 'msw'
import {
  createMiddleware,
  type ExpressOptions,
  expressOptionNames,
  type Middleware,
} from '../adapters/express/express.ts'
import { type NodeRequest, toApiRequest } from '../adapters/express/node-request.ts'
import { writeResponse } from '../adapters/express/node-response.ts'
import { pathItems } from '../api/endpoints.ts'
import { Failure } from '../http/failures.ts'
import type { ApiHandler } from '../http/route.ts'
import { createTypoMatcher } from '../http/unknown-path.ts'
import {
  baseUrlPattern,
  createPathMatcher,
  requestTarget,
  splitSandboxPath,
  toBaseUrl,
} from '../http/url.ts'
import { createReplayHandler } from '../scenarios/replay-server/replay-handler.ts'
import type { Simulator } from '../simulator.ts'
import { isLoopback } from '../utils/network.ts'
import { createErrorReporter } from '../utils/report-error.ts'
import type { OptionNames } from '../utils/usage-error.ts'
import { createGuard } from './control/guard.ts'
import { lazyControl } from './control/lazy-control.ts'
import { dashboardPages, helpText } from './dashboard-pages.ts'
import { forward, parseForward, sendForwardingFailure } from './forwarding.ts'
import { openApiHandlers } from './openapi/document-endpoint.ts'

/** What a server offers besides the simulated API. */
export interface ServerOptions extends ExpressOptions {
  /** The address to bind. By default 127.0.0.1. */
  readonly host?: string
  /** MSW handlers of your own, which run before those of the simulator. */
  readonly handlers?: readonly RequestHandler[]
  /** Whether pages of any origin can read responses of the API. By default they can. */
  readonly cors?: boolean
  /** The token of the control API. Without one, the control API is available on loopback addresses only. */
  readonly token?: string
  /** Sets the option of the simulator: whether the header `understudy-why` explains responses. */
  readonly explain?: boolean
  /** Whether the dashboard is served at `/__admin/`. By default it is. */
  readonly dashboard?: boolean
  /** A folder of scenarios for the control API and the dashboard, besides those of the package. */
  readonly scenarios?: string
  /**
   * The origin of a service that gets the requests outside the API, such as `http://127.0.0.1:8000`. A header
   * `Authorization` with a key of the simulator or of a sandbox is left out.
   */
  readonly forward?: string
  /** Called for each request outside the API. A `refusal` says why the service did not get it. */
  readonly onForward?: (
    request: { readonly method: string; readonly url: string; readonly status: number; ms: number },
    refusal?: string,
  ) => void
  /** Called for each request to an unknown path. */
  readonly onNotFound?: (method: string, url: string, nearest: string) => void
}

export const serverOptionNames: OptionNames<ServerOptions> = {
  ...expressOptionNames,
  host: true,
  handlers: true,
  cors: true,
  token: true,
  explain: true,
  dashboard: true,
  scenarios: true,
  forward: true,
  onForward: true,
  onNotFound: true,
}

/**
 * Creates the middleware of a server: the control API, the API, and the pages.
 *
 * @param closed aborts when the server closes
 */
export function createServerMiddleware(
  simulator: Simulator,
  options: ServerOptions,
  closed: AbortSignal,
): (request: NodeRequest, response: ServerResponse) => void {
  const report = createErrorReporter(options.onError ?? console.error)
  if (options.explain !== undefined) simulator.explainsInHeader = options.explain
  const guard = createGuard(options.host ?? '127.0.0.1', options.token)
  const handlers = [
    ...(options.handlers ?? []),
    simulator.own,
    ...simulatorHandlers(simulator, options.forward === undefined),
    ...openApiHandlers(simulator, report),
  ]
  const middlewareOptions = { ...options, onError: report, isolatesPages: true }
  const api = createMiddleware(handlers, middlewareOptions)
  const control = lazyControl(simulator, handlers, {
    ...middlewareOptions,
    ...{ guard, report, closed },
  })
  const allowOrigin = options.cors === false ? null : createCors(simulator)
  const pages = options.dashboard === false ? null : dashboardPages(guard)
  const isClosed = guard.isExposed && !guard.verifyToken
  const help = helpText(pages !== null && !isClosed)
  const forwardOn = options.forward === undefined ? null : createForwarding(simulator, options)
  const isOwnPath = forwardOn && createOwnPathTest(simulator)

  const isOwn = (request: NodeRequest): boolean => {
    const { url = '/', headers } = request
    const method = headers['access-control-request-method'] ?? ''
    const matches = (handler: ApiHandler) => handler.match(method, url, toApiRequest(request))
    return isOwnPath?.(url) !== false || simulator.endpointHandlers.some(matches)
  }

  return (request, response) => {
    const fallback = (_error?: unknown, isPassedThrough = false): void => {
      const { url = '/' } = request
      if (forwardOn && (isPassedThrough || isOwnPath?.(url) === false)) {
        // The service has its own.
        for (const name of corsHeaders) response.removeHeader(name)
        forwardOn(request, response)
        return
      }
      const sendLast = () =>
        isHelpRequest(request) && !isPassedThrough
          ? sendHelp(response, help)
          : sendNotFound(simulator, request, response, isPassedThrough, options)
      if (pages) pages(request, response, sendLast)
      else sendLast()
    }
    if (isControlUrl(request.url ?? '')) control(request, response, fallback)
    else if (allowOrigin && (isPreflight(request) ? isOwn(request) : request.headers.origin)) {
      allowOrigin(request, response, () => api(request, response, fallback))
    } else api(request, response, fallback)
  }
}

function simulatorHandlers(simulator: Simulator, handlesAll: boolean): readonly ApiHandler[] {
  const { replaying, endpointHandlers } = simulator
  if (!replaying) return endpointHandlers
  return [
    createReplayHandler(() => simulator.replaying ?? replaying, handlesAll),
    ...endpointHandlers,
  ]
}

/** @throws UsageError for a service that is no origin */
function createForwarding(
  simulator: Simulator,
  { forward: origin = '', host = '127.0.0.1', onForward }: ServerOptions,
): (request: NodeRequest, response: ServerResponse) => void {
  const target = parseForward(origin)
  return (request, response) => {
    const { method = 'GET', url = '/', socket } = request
    const start = performance.now()
    let refusal: string | undefined
    response.once('close', () => {
      // A response that was cut has no status.
      const status = response.writableFinished ? response.statusCode : 0
      onForward?.({ method, url, status, ms: performance.now() - start }, refusal)
    })
    const isNamed = !isLoopback(host) || 'encrypted' in socket
    forward(request, response, target, simulator, isNamed).catch((error) => {
      if (error instanceof Failure) refusal = error.detail
      sendForwardingFailure(response, target, error)
    })
  }
}

/** Creates a test for URLs that are never forwarded: those of the API, also misspelt or disabled ones, and of `/__admin`. */
function createOwnPathTest({ endpointHandlers, sandboxes }: Simulator): (url: string) => boolean {
  const [{ base } = { base: toBaseUrl('*') }] = endpointHandlers
  const patterns = pathItems.map(({ pattern }) => pattern)
  const matchers = patterns.map((pattern) => createPathMatcher(pattern, base))
  const own = [createTypoMatcher(patterns, base), ...matchers]
  return (url) => {
    const [path = '/'] = (/^https?:/i.test(url) ? requestTarget(url) : url).split('?')
    const { sandboxId } = splitSandboxPath(path)
    if (sandboxId !== undefined && sandboxes.get(sandboxId) === undefined) return true
    return path === '*' || isControlUrl(url) || own.some((matcher) => matcher.match(url) !== null)
  }
}

const corsHeaders = ['access-control-allow-origin', 'access-control-expose-headers']

/** CORS for any origin, without credentials. A plain OPTIONS request goes on to the API. */
function createCors(simulator: Simulator): Middleware {
  const exposed = ['allow', 'location', 'retry-after', 'understudy-nearest', 'www-authenticate']
  return (request, response, next) => {
    response.setHeader('Access-Control-Allow-Origin', '*')
    const names = simulator.explainsInHeader ? [...exposed, 'understudy-why'] : exposed
    response.setHeader('Access-Control-Expose-Headers', names.join(','))
    if (!isPreflight(request)) return next()
    response.setHeader('Access-Control-Allow-Methods', 'GET,HEAD,PUT,PATCH,POST,DELETE')
    const asked = request.headers['access-control-request-headers']
    if (asked) response.setHeader('Access-Control-Allow-Headers', asked)
    response.setHeader('Vary', 'Access-Control-Request-Headers')
    response.writeHead(200, { 'content-length': 0 }).end()
  }
}

/** Seen in the live service: the origin does not matter, and the response is an empty 200. */
function isPreflight({ method, headers }: NodeRequest): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}

/** The control API of the server or of a sandbox, as a path or as an absolute URL. */
const controlUrl = new RegExp(`^${baseUrlPattern(toBaseUrl('*'))}/__admin(?:[/?#]|$)`, 'i')

/** Searching first is cheaper: requests of the API do not contain the path at all. */
function isControlUrl(url: string): boolean {
  return url.includes('__admin') && controlUrl.test(url)
}

/** Whether a request is for the help: `/` is no path of the API, so it comes from a person or a health check. */
function isHelpRequest({ method, url = '/' }: NodeRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && /^\/(?:\?|$)/.test(url)
}

function sendHelp(response: ServerResponse, help: string): void {
  response.writeHead(200, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(help),
    vary: 'accept',
  })
  response.end(help)
}

/** Responds with 404, or with 501 if a handler passed the request through, since there is no network behind. */
async function sendNotFound(
  simulator: Simulator,
  nodeRequest: NodeRequest,
  nodeResponse: ServerResponse,
  isPassedThrough: boolean,
  { onNotFound }: ServerOptions,
): Promise<void> {
  const { method = 'GET', url = '/' } = nodeRequest
  const request = toApiRequest(nodeRequest)
  let response = simulator.notFound(method, request)
  // The simulator knows no paths of the control API, so those get their own suggestions. An unknown sandbox has none.
  if (isControlUrl(url) && 'understudy-nearest' in response.headers) {
    const [target = ''] = requestTarget(request.url).split('?')
    const { controlNotFound } = await import('./control/control-middleware.ts')
    response = controlNotFound(method, splitSandboxPath(target).path)
  }
  if (!isPassedThrough) onNotFound?.(method, url, response.headers['understudy-nearest'] ?? '')
  writeResponse(nodeResponse, isPassedThrough ? { ...response, status: 501 } : response)
}
