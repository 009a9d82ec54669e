import { type HttpHandler, http } from 'msw'
import { type BaseUrl, sandboxPrefix } from '../http/base-url.ts'
import type { ApiRequest, ApiResponse, RequestHead } from '../http/messages.ts'
import { createRoutes, type PathItem } from '../http/route.ts'
import type { EndpointContext } from '../http/sandbox.ts'
import { createTypoMatcher } from '../http/unknown-path.ts'
import {
  EndpointHandler,
  matchRequest,
  type RequestMatcher,
  type Service,
} from './endpoint-handler.ts'
import { toApiRequest, toResponse } from './fetch.ts'
import { toMswHandlers } from './msw.ts'

/** The endpoints of a service, each as a door. */
export function toEndpointHandlers<W, S extends EndpointContext<W>>(
  families: readonly PathItem<W>[],
  base: BaseUrl,
  service: Service<W, S>,
): EndpointHandler<W, S>[] {
  return createRoutes(families, base).map((route) => new EndpointHandler(route, base, service))
}

type NotFound = (method: string, head: RequestHead) => ApiResponse

/**
 * What answers to paths that nothing describes: with a base of its own to all below `/api`, which are the service's
 * too; on any origin, where other APIs may be, only to those that are misspelt.
 */
export function notFoundHandlers(
  families: readonly PathItem<never>[],
  base: BaseUrl,
  notFound: NotFound,
): HttpHandler[] {
  const { origin, prefix } = base
  if (origin === '*') return toMswHandlers([misspeltDoor(families, base, notFound)])
  return ['', `${sandboxPrefix}/:sandbox`].map((sandbox) =>
    http.all(`${origin}${prefix}${sandbox}/api/*`, ({ request }) =>
      toResponse(request, notFound(request.method, request)),
    ),
  )
}

function misspeltDoor(
  families: readonly PathItem<never>[],
  base: BaseUrl,
  notFound: NotFound,
): RequestMatcher {
  const patterns = families.map(({ pattern }) => pattern)
  // Nobody reads its body: what nothing answers may have one of any size.
  const meeting = {
    params: {},
    bodyLimit: 0,
    handle: (call: ApiRequest) => notFound(call.method, call),
  }
  const route = { endpoint: { id: 'misspelt', method: '*' as const } }
  return { base, route, path: createTypoMatcher(patterns, base), match: () => meeting }
}

/** Answers a request by whichever door it is for. */
export async function handleFetch(
  doors: readonly RequestMatcher[],
  request: Request,
  notFound: NotFound,
): Promise<Response> {
  for (const door of doors) {
    const meeting = matchRequest(door, request.method, request)
    if (!meeting) continue
    const call = await toApiRequest(request, meeting.bodyLimit)
    return toResponse(request, await meeting.handle(call))
  }
  return toResponse(request, notFound(request.method, request))
}
