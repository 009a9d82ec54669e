import { type HttpHandler, type HttpResponseResolver, http } from 'msw'
import {
  type ApiHandler,
  apiHandlerSymbol,
  compileHandlers,
  type RequestMatch,
} from '../http/api-handler.ts'
import { type BaseUrl, sandboxPrefix } from '../http/url.ts'
import { UsageError } from '../utils/errors.ts'
import { fromFetchRequest, type NotFound, toFetchResponse } from './fetch.ts'
import { followClient } from './intercepted-request.ts'
import { supportedMswVersions } from './msw-version.ts'

/**
 * Creates an MSW handler for the requests of which a function finds something.
 *
 * @param resolve gets what was found, as MSW passes on the parameters of a path
 * @throws UsageError for an earlier MSW, which takes no function
 */
export function handlerFor<Found>(
  find: (request: Request) => Found | false | null,
  resolve: (request: Request, found: Found) => ReturnType<HttpResponseResolver>,
): HttpHandler {
  try {
    return http.all(
      ({ request }) => {
        const found = find(request)
        return { matches: Boolean(found), params: { found } as never }
      },
      ({ request, params }) => resolve(request, Reflect.get(params, 'found') as Found),
    )
  } catch {
    throw new UsageError(
      `Failed to handle requests: expected msw ${supportedMswVersions}, got an earlier one. Run npm install --save-dev msw@2.`,
    )
  }
}

/**
 * Converts handlers of the API to MSW handlers. Each serves every method of one path. `listHandlers()` prints the methods
 * that are described, and the path. Both doors of a handler, `run` of MSW and its API handler, lead to the same function.
 */
export function toMswHandlers(handlers: readonly ApiHandler[]): HttpHandler[] {
  return handlers.map((apiHandler) => {
    const { base, path, methods } = apiHandler
    const match = compileHandlers([apiHandler])
    const handler = handlerFor<RequestMatch>(
      (request) => match(request.url, request),
      async (request, { bodyLimit, handle }) => {
        const breakConnection = followClient(request)
        const response = await handle(await fromFetchRequest(request, bodyLimit))
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
    const handler = http.all(origin + prefix + path, ({ request }) =>
      toFetchResponse(request, notFound(request.method, request)),
    )
    const ofServer: ApiHandler = { base, path, methods: [], find: () => null, open: () => null }
    return Object.assign(handler, { [apiHandlerSymbol]: ofServer })
  })
}
