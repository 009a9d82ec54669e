import { HttpHandler, type HttpResponseResolver, http, type RequestHandler } from 'msw'
import { type ApiHandler, apiHandlerSymbol } from '../http/route.ts'
import { type BaseUrl, sandboxPrefix } from '../http/url.ts'
import { UsageError } from '../utils/errors.ts'
import { type NotFound, respondTo, toResponse } from './fetch.ts'
import { followClient } from './intercepted-request.ts'
import { supportedMswVersions } from './msw-version.ts'

/**
 * Creates an MSW handler for the requests that a function accepts.
 *
 * @throws UsageError for an earlier MSW, which takes no function
 */
export function handlerFor(
  accepts: (request: Request) => boolean,
  resolve: HttpResponseResolver,
): HttpHandler {
  try {
    return http.all(({ request }) => accepts(request), resolve)
  } catch {
    throw new UsageError(
      `Failed to handle requests: expected msw ${supportedMswVersions}, got an earlier one. Run npm install --save-dev msw@2.`,
    )
  }
}

/**
 * Converts handlers of the API to MSW handlers. Each serves every method of one path. `listHandlers()` prints the methods
 * that are described, and the path.
 */
export function toMswHandlers(handlers: readonly ApiHandler[]): HttpHandler[] {
  return handlers.map((apiHandler) => {
    const { base, pattern, methods } = apiHandler
    const handler = handlerFor(
      (request) => apiHandler.match(request.method, request.url, request) !== null,
      async ({ request }) => {
        const breakConnection = followClient(request)
        const response = await respondTo(apiHandler, request)
        return response ? toResponse(request, breakConnection(response)) : undefined
      },
    )
    handler.info.header = `${methods.join(', ')} ${base.origin}${base.prefix}${pattern}`
    return Object.assign(handler, { [apiHandlerSymbol]: apiHandler })
  })
}

/**
 * Creates the MSW handlers for unknown paths. With a base URL of its own the API owns every path below `/api`. On any
 * origin, other APIs can have paths there.
 */
export function notFoundHandlers({ origin, prefix }: BaseUrl, notFound: NotFound): HttpHandler[] {
  if (origin === '*') return []
  return ['', `${sandboxPrefix}/:sandbox`].map((sandbox) =>
    http.all(`${origin}${prefix}${sandbox}/api/*`, ({ request }) =>
      toResponse(request, notFound(request.method, request)),
    ),
  )
}

type Run = HttpHandler['run']

/** The handlers of a user, which run before those of the simulator, as one MSW handler that stays the same. */
export class OwnHandlers extends HttpHandler {
  /** What they threw, by method and path. */
  readonly failures: Map<string, unknown> = new Map()
  /** Those that stay when the others are removed. */
  readonly initial: readonly RequestHandler[]
  current: readonly RequestHandler[]

  constructor(initial: readonly RequestHandler[]) {
    super(/.+/, '*', () => {})
    this.initial = initial
    this.current = initial
  }

  /** Runs them in order, as MSW does: one without a response leaves the request to the next. */
  override async run(args: Parameters<Run>[0]): ReturnType<Run> {
    let result: Awaited<ReturnType<Run>> = null
    for (const handler of this.current) {
      try {
        const next = (await handler.run(args)) as Awaited<ReturnType<Run>>
        if (next) result = next
      } catch (error) {
        this.failures.set(handler.info.header, error)
        throw error
      }
      if (result?.response) break
    }
    return result
  }
}
