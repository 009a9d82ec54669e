import type { ServerResponse } from 'node:http'
import type { RequestHandler } from 'msw'
import type { ApiHandler } from '../adapters/endpoint-handler.ts'
import { createCors } from '../adapters/express/cors.ts'
import {
  createMiddleware,
  type ExpressOptions,
  type Middleware,
} from '../adapters/express/express.ts'
import { NodeApiRequest, type NodeRequest } from '../adapters/express/node-request.ts'
import { passedThrough } from '../adapters/express/run-msw-handlers.ts'
import { writeResponse } from '../adapters/express/write-response.ts'
import { baseUrlPattern, toBaseUrl } from '../http/base-url.ts'
import type { ApiResponse } from '../http/messages.ts'
import { requestTarget, splitSandboxPath } from '../http/url.ts'
import { openScenarioLibrary } from '../scenarios/library.ts'
import type { ControlCall } from '../scenarios/recording/run-recorder.ts'
import { createReplayHandler } from '../scenarios/replay-server/replay-handler.ts'
import type { Simulator } from '../simulator.ts'
import { createErrorReporter } from '../utils/report-error.ts'
import { fixtureNames, readWorld } from '../world/load/read-world.ts'
import { createGuard, createTokenVerifier } from './control/guard.ts'
import { controlNotFound, createControlHandlers } from './control/handlers.ts'
import { dashboardPages } from './dashboard-pages.ts'
import { openApiHandlers } from './openapi/document-endpoint.ts'

/** What a server answers, besides the simulator. */
export interface ServerOptions extends ExpressOptions {
  /** The address to bind; by default 127.0.0.1. */
  readonly host?: string
  /** MSW handlers of your own that stand before the simulator's. */
  readonly handlers?: readonly RequestHandler[]
  /** Whether pages of any origin may read answers; they may by default. */
  readonly cors?: boolean
  /** What the control API asks for; off this machine it stays closed without one. */
  readonly token?: string
  /** Whether the dashboard is at `/__admin/`; it is by default. */
  readonly dashboard?: boolean
  /** A folder of scenarios, which the control API and the dashboard have besides those of the package. */
  readonly scenarios?: string
  /** Told of each request before anything of it is read. */
  readonly onArrival?: () => void
  /** Told of each change by the control API when it was carried out. */
  readonly onControl?: (call: ControlCall) => void
  /** Told of paths that nothing answers. */
  readonly onNotFound?: (method: string, url: string, nearest: string) => void
}

type RequestListener = (request: NodeRequest, response: ServerResponse) => void

/** All that a server of a simulator does, as one layer of Express: each one more costs as much as the answer itself. */
export function createServerMiddleware(
  simulator: Simulator,
  options: ServerOptions,
): RequestListener {
  const { host = '127.0.0.1', token, handlers = [] } = options
  const report = createErrorReporter(options.onError ?? console.error)
  const generator = async () => (await import('../world/factories/generate.ts')).generate
  const fixture = async (name: string) => (fixtureNames.includes(name) ? readWorld(name) : null)
  const guard = createGuard(host, token, createTokenVerifier)
  const own = [
    ...handlers,
    ...replayThenEndpoints(simulator),
    ...openApiHandlers(simulator, report),
  ]
  const control = () =>
    createControlHandlers(simulator, {
      guard,
      generator,
      fixture,
      scenarios: openScenarioLibrary(options.scenarios),
      report,
      onControl: options.onControl,
    })
  const running = { ...options, onError: report }
  const answer = createMiddleware(own, running)
  let controlled: Middleware | null = null
  // Most servers are never controlled, and its endpoints are many: made when first asked for.
  const chosen: Middleware = (request, response, next) => {
    if (!isControlRequest(request)) return answer(request, response, next)
    controlled ??= createMiddleware([...own, ...control()], running)
    controlled(request, response, next)
  }
  const allow = options.cors === false ? null : createCors()
  const pages = options.dashboard === false ? null : dashboardPages(guard)
  return (request, response) => {
    options.onArrival?.()
    const unknown = () => sendNotFound(simulator, request, response, options)
    const lastly = () => (pages ? pages(request, response, unknown) : unknown())
    if (!allow || !isCorsRequest(request)) chosen(request, response, lastly)
    else allow(request, response, () => chosen(request, response, lastly))
  }
}

/** Asked for by a page of some origin, and not of the control API: that is for no page but its own. */
function isCorsRequest(request: NodeRequest): boolean {
  return request.headers.origin !== undefined && !isControlRequest(request)
}

function isControlRequest({ url = '' }: NodeRequest): boolean {
  return controlUrl.test(url)
}

/** The control API, of the server or of a sandbox, in whichever form a request names its address. */
const controlUrl = new RegExp(`^${baseUrlPattern(toBaseUrl('*'))}/__admin(?:[/?#]|$)`, 'i')

/** The end of the line: a path that nothing answers. */
function sendNotFound(
  simulator: Simulator,
  request: NodeRequest,
  response: ServerResponse,
  { onNotFound }: ServerOptions,
): void {
  const { method = 'GET', url = '/' } = request
  const given = notFoundResponse(simulator, method, url, new NodeApiRequest(request))
  const isPassed = passedThrough in request
  if (!isPassed) onNotFound?.(method, url, given.headers['understudy-nearest'] ?? '')
  writeResponse(response, isPassed ? { ...given, status: 501 } : given)
}

/** Of the control API the simulator knows nothing but that a path is not its own; a sandbox may be missing, too. */
function notFoundResponse(
  simulator: Simulator,
  method: string,
  url: string,
  call: NodeApiRequest,
): ApiResponse {
  const given = simulator.notFound(method, call)
  if (!controlUrl.test(url) || !('understudy-nearest' in given.headers)) return given
  return controlNotFound(
    method,
    splitSandboxPath(requestTarget(call.url).split('?')[0] as string).path,
  )
}

/** The handlers of a simulator. A replay answers in front of them. */
function replayThenEndpoints(simulator: Simulator): readonly ApiHandler[] {
  const { replaying, endpointHandlers } = simulator
  if (!replaying) return endpointHandlers
  return [createReplayHandler(() => simulator.replaying ?? replaying, true), ...endpointHandlers]
}
