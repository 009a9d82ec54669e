import { type HttpHandler, http } from 'msw'
import type { BaseUrl } from '../http/base-url.ts'
import type { EndpointContext } from '../http/context.ts'
import type { ApiRequest, ApiResponse, RequestHead } from '../http/messages.ts'
import type { PathItem } from '../http/route.ts'
import { createTypoMatcher } from '../http/unknown-path.ts'
import { sandboxPrefix } from '../http/url.ts'
import { type ApiHandler, EndpointHandler, type EndpointRunner } from './endpoint-handler.ts'
import { toApiRequest, toResponse } from './fetch.ts'
import { toMswHandlers } from './msw.ts'

/** Creates a handler for each path of an API. */
export function createEndpointHandlers<W, C extends EndpointContext<W>>(
  pathItems: readonly PathItem<W>[],
  base: BaseUrl,
  runner: EndpointRunner<W, C>,
): EndpointHandler<W, C>[] {
  return pathItems.map((pathItem) => new EndpointHandler(pathItem, base, runner))
}

type NotFound = (method: string, head: RequestHead) => ApiResponse

/**
 * Creates the MSW handlers for unknown paths. With a base URL of its own the API owns every path below `/api`. On any
 * origin, other APIs can have paths there, so only misspelt paths of this API are handled.
 */
export function notFoundHandlers(
  pathItems: readonly PathItem<never>[],
  base: BaseUrl,
  notFound: NotFound,
): HttpHandler[] {
  const { origin, prefix } = base
  if (origin === '*') return toMswHandlers([createTypoHandler(pathItems, base, notFound)])
  return ['', `${sandboxPrefix}/:sandbox`].map((sandbox) =>
    http.all(`${origin}${prefix}${sandbox}/api/*`, ({ request }) =>
      toResponse(request, notFound(request.method, request)),
    ),
  )
}

function createTypoHandler(
  pathItems: readonly PathItem<never>[],
  base: BaseUrl,
  notFound: NotFound,
): ApiHandler {
  const path = createTypoMatcher(
    pathItems.map(({ pattern }) => pattern),
    base,
  )
  // The body is never read, so it can have any size.
  const match = {
    params: {},
    bodyLimit: 0,
    handle: (request: ApiRequest) => notFound(request.method, request),
  }
  return {
    base,
    pattern: path.pattern,
    methods: ['*'],
    match: (_method, url) => (path.match(url) ? match : null),
  }
}

/** Handles a fetch request by the first handler that matches it, else by `notFound`. */
export async function handleFetch(
  handlers: readonly ApiHandler[],
  request: Request,
  notFound: NotFound,
): Promise<Response> {
  for (const handler of handlers) {
    const match = handler.match(request.method, request.url, request)
    if (!match) continue
    const response = await match.handle(await toApiRequest(request, match.bodyLimit))
    return toResponse(request, response)
  }
  return toResponse(request, notFound(request.method, request))
}
