import type { ServerResponse } from 'node:http'
import type { RequestHandler } from 'msw'
import { anyOrigin } from './adapters/any-origin.ts'
import { type ExpressOptions, type Middleware, toMiddleware } from './adapters/express.ts'
import { passedThrough } from './adapters/general-lane.ts'
import { writeAnswer } from './adapters/node-answer.ts'
import { NodeCall, type NodeRequest } from './adapters/node-call.ts'
import type { CarriedOut } from './control/carried-out.ts'
import { guardOf } from './control/guard.ts'
import { controlDoors } from './control/index.ts'
import { controlNotFound } from './control/not-found.ts'
import { dashboardPages } from './dashboard-pages.ts'
import { baseSource, splitSandbox, toBase } from './http/base.ts'
import { type Answer, targetOf } from './http/call.ts'
import { documentDoors } from './openapi/doors.ts'
import { fixtureNames, readWorld } from './read-world.ts'
import { doorsOf } from './replay-server/door.ts'
import { toReport } from './report.ts'
import { scenarioLibrary } from './scenario-library.ts'
import type { Simulator } from './simulator.ts'
import { tokenCheck } from './token-check.ts'

/** What a server answers, besides the simulator. */
export interface LayerOptions extends ExpressOptions {
  /** By default 127.0.0.1: this machine only. */
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
  readonly onControl?: (call: CarriedOut) => void
  /** Told of paths that nothing answers. */
  readonly onNotFound?: (method: string, url: string, nearest: string) => void
}

type Layer = (request: NodeRequest, response: ServerResponse) => void

/** All that a server of a simulator does, as one layer of Express: each one more costs as much as the answer itself. */
export function toLayer(simulator: Simulator, options: LayerOptions): Layer {
  const { host = '127.0.0.1', token, handlers = [] } = options
  const report = toReport(options.onError ?? console.error)
  const generator = async () => (await import('./factories.ts')).generate
  const fixture = async (name: string) => (fixtureNames.includes(name) ? readWorld(name) : null)
  const guard = guardOf(host, token, tokenCheck)
  const own = [...handlers, ...doorsOf(simulator), ...documentDoors(simulator, report)]
  const control = () =>
    controlDoors(simulator, {
      guard,
      generator,
      fixture,
      scenarios: scenarioLibrary(options.scenarios),
      report,
      onControl: options.onControl,
    })
  const running = { ...options, onError: report }
  const answer = toMiddleware(own, running)
  let controlled: Middleware | null = null
  // Most servers are never controlled, and its endpoints are many: made when first asked for.
  const chosen: Middleware = (request, response, next) => {
    if (!isOfControl(request)) return answer(request, response, next)
    controlled ??= toMiddleware([...own, ...control()], running)
    controlled(request, response, next)
  }
  const allow = options.cors === false ? null : anyOrigin()
  const pages = options.dashboard === false ? null : dashboardPages(guard)
  return (request, response) => {
    options.onArrival?.()
    const unknown = () => notFound(simulator, request, response, options)
    const lastly = () => (pages ? pages(request, response, unknown) : unknown())
    if (!allow || !isFromPage(request)) chosen(request, response, lastly)
    else allow(request, response, () => chosen(request, response, lastly))
  }
}

/** Asked for by a page of some origin, and not of the control API: that is for no page but its own. */
function isFromPage(request: NodeRequest): boolean {
  return request.headers.origin !== undefined && !isOfControl(request)
}

function isOfControl({ url = '' }: NodeRequest): boolean {
  return controlAddress.test(url)
}

/** The control API, of the server or of a sandbox, in whichever form a request names its address. */
const controlAddress = new RegExp(`^${baseSource(toBase('*'))}/__admin(?:[/?#]|$)`, 'i')

/** The end of the line: a path that nothing answers. */
function notFound(
  simulator: Simulator,
  request: NodeRequest,
  response: ServerResponse,
  { onNotFound }: LayerOptions,
): void {
  const { method = 'GET', url = '/' } = request
  const given = unknown(simulator, method, url, new NodeCall(request))
  const isPassed = passedThrough in request
  if (!isPassed) onNotFound?.(method, url, given.headers['understudy-nearest'] ?? '')
  writeAnswer(response, isPassed ? { ...given, status: 501 } : given)
}

/** Of the control API the simulator knows nothing but that a path is not its own; a sandbox may be missing, too. */
function unknown(simulator: Simulator, method: string, url: string, call: NodeCall): Answer {
  const given = simulator.notFound(method, call)
  if (!controlAddress.test(url) || !('understudy-nearest' in given.headers)) return given
  return controlNotFound(method, splitSandbox(targetOf(call.url).split('?')[0] as string).path)
}
