import type { HttpHandler, RequestHandler } from 'msw'
import type { Call } from '../http/endpoint.ts'
import {
  type ApiHandler,
  apiHandlerSymbol,
  type BaseUrl,
  compileHandlers,
  sandboxPrefix,
} from '../http/route.ts'
import { fromFetchRequest, type NotFound, toFetchResponse } from './fetch.ts'
import { followClient, isToSocket } from './intercepted-request.ts'
import { http } from './msw-http.ts'

type Run = RequestHandler['run']

type Find<Found> = (request: Request) => Found | false | null
type Respond<Found> = (request: Request, match: Found) => Response | undefined | Promise<Response>

/**
 * Creates an MSW handler for the requests of which a function finds something. MSW would copy each request and read its
 * cookies, even for the handlers that do not match, which takes as long as the response.
 *
 * @param respond gets what was found. Without a response, the next handler gets the request
 */
export function handlerFor<Found>(find: Find<Found>, respond: Respond<Found>): HttpHandler {
  const handler = all('*', () => {})
  handler.run = async ({ request, requestId }: Parameters<Run>[0]): ReturnType<Run> => {
    const match = find(request)
    if (!match) return null
    handler.isUsed = true
    const response = await respond(request, match)
    return { handler, request, requestId, ...(response && { response }) }
  }
  return handler
}

/**
 * Converts handlers of the API to MSW handlers. Each serves every method of one path. `listHandlers()` prints the methods
 * that are described, and the path. Both doors of a handler, `run` of MSW and its API handler, lead to the same function.
 */
export function toMswHandlers(handlers: readonly ApiHandler[]): HttpHandler[] {
  return handlers.map((apiHandler) => {
    const { base, path, methods } = apiHandler
    const match = compileHandlers([apiHandler])
    const handler = handlerFor<Call>(
      (request) => (isToSocket(request) ? null : match(request.url, request)),
      async (request, opened) => {
        const breakConnection = followClient(request)
        const response = await opened.handle(await fromFetchRequest(request, opened.bodyLimit))
        return toFetchResponse(request, breakConnection(response))
      },
    )
    handler.info.header = `${methods.join(', ')} ${base.origin}${base.prefix}${path}`
    return Object.assign(handler, { [apiHandlerSymbol]: apiHandler })
  })
}

/**
 * Creates the MSW handlers for unknown paths. With a base URL of its own the API owns every path below `/api`. On any
 * origin, other APIs can have paths there. A server answers unknown paths itself, since it may have others, too.
 */
export function notFoundHandlers(base: BaseUrl, notFound: NotFound): HttpHandler[] {
  const { origin, prefix } = base
  if (origin === '*') return []
  return ['', `${sandboxPrefix}/:sandbox`].map((sandbox) => {
    const path = `${sandbox}/api/*`
    const handler = all(origin + prefix + path, ({ request }) =>
      toFetchResponse(request, notFound(request.method, request)),
    )
    return Object.assign(handler, { [apiHandlerSymbol]: null })
  })
}

/**
 * Creates a handler without the line that declares it, which is one of this file: MSW would read a stack, and Vitest, which
 * maps each frame to its source, would take four times as long for a simulator.
 */
function all(...args: Parameters<typeof http.all>): HttpHandler {
  const { stackTraceLimit } = Error
  Reflect.set(Error, 'stackTraceLimit', 0)
  try {
    return http.all(...args)
  } finally {
    Reflect.set(Error, 'stackTraceLimit', stackTraceLimit)
  }
}
