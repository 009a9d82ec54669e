import type { ServerResponse } from 'node:http'
import type { RequestHandler } from 'msw'
import type { PathMatcher } from '../../http/path.ts'
import { createErrorReporter } from '../../utils/report-error.ts'
import { type RequestMatcher, toRequestMatcher } from '../endpoint-handler.ts'
import { toMswHandlers } from '../msw.ts'
import { LatestHeaders, NodeApiRequest, type NodeRequest } from './node-request.ts'
import { createResponseSender, runEndpoint } from './run-endpoint.ts'
import { type HandlerStep, runMswHandlers } from './run-msw-handlers.ts'

/** How handlers are run behind Express. */
export interface ExpressOptions {
  /** `msw` sends every request through MSW's own door, as in-process; by default our handlers take a shorter way. */
  readonly lane?: 'direct' | 'msw'
  /** The most bytes of a body that is for a handler of yours, or for none; by default 64 MiB. */
  readonly bodyLimit?: number
  /** Told of exceptions in handlers, which callers see as a 500; by default console.error. */
  readonly onError?: (error: unknown) => void
}

/** What an Express application takes by `use`. */
export type Middleware = (
  request: NodeRequest,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void

/**
 * MSW handlers as Express middleware. The first that matches answers; what none matches, and what one passes
 * through, goes on to `next`. Handlers of your own may stand before ours. Works below a mount path and after
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

/** The same for doors, which need not be handlers where their shorter way is taken. */
export function createMiddleware(
  answering: readonly (RequestHandler | RequestMatcher)[],
  options: ExpressOptions = {},
): Middleware {
  const { lane = 'direct', bodyLimit = 64 * 1024 * 1024 } = options
  const onError = createErrorReporter(options.onError ?? console.error)
  const steps = answering.map((each) => toStep(each, lane === 'direct'))
  const firstForeign = steps.findIndex(({ handler }) => handler !== null)
  const direct = byPath(firstForeign < 0 ? steps : steps.slice(0, firstForeign))
  const rest = firstForeign < 0 ? [] : steps.slice(firstForeign)
  const all = byPath(steps)
  const headers = new LatestHeaders()
  const exit = createResponseSender(onError)

  return (request, response, next) => {
    const { method = 'GET', url = '/' } = request
    // No fetch request can be a TRACE: only our own handlers know what to answer.
    const isForFetch = method !== 'TRACE'
    for (const [path, doors] of isForFetch ? direct : all) {
      const found = path.match(url)
      if (found === null) continue
      const call = new NodeApiRequest(request, headers.of(request.headers))
      for (const door of doors) {
        const meeting = door.match(method, found, call)
        if (!meeting) continue
        return runEndpoint(meeting, call, response, exit)
      }
    }
    if (rest.length === 0 || !isForFetch) return next()
    runMswHandlers(rest, request, response, { onError, bodyLimit }).then((isAnswered) => {
      if (!isAnswered) next()
    }, next)
  }
}

function toStep(answering: RequestHandler | RequestMatcher, isDirect: boolean): HandlerStep {
  const door = toRequestMatcher(answering)
  if (door && isDirect) return { matcher: door, handler: null }
  const handler = () => (door === answering ? toMswHandlers([door])[0] : answering)
  return { matcher: door, handler: handler as () => RequestHandler }
}

/** Doors by their path: an address has one path at most, so most paths are ruled out at once. */
function byPath(steps: readonly HandlerStep[]): [PathMatcher, RequestMatcher[]][] {
  const doors = new Map<PathMatcher, RequestMatcher[]>()
  for (const { matcher } of steps) {
    if (matcher) doors.set(matcher.path, [...(doors.get(matcher.path) ?? []), matcher])
  }
  return [...doors]
}
