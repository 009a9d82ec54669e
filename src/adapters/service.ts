import { type HttpHandler, http } from 'msw'
import { type Base, sandboxPrefix } from '../http/base.ts'
import type { Answer, Head } from '../http/call.ts'
import { type Family, toRoutes } from '../http/route.ts'
import type { Sandbox } from '../http/sandbox.ts'
import { toCall, toResponse } from './fetch.ts'
import { doorOf, EndpointHandler, meetingOf, type Service } from './msw.ts'

/** The endpoints of a service as handlers. */
export function toHandlers<W, S extends Sandbox<W>>(
  families: readonly Family<W>[],
  base: Base,
  service: Service<W, S>,
): EndpointHandler<W, S>[] {
  return toRoutes(families, base).map((route) => new EndpointHandler(route, base, service))
}

/** With a base of its own the paths below `/api` that nothing describes are the service's too. */
export function notFoundHandlers(
  { origin, prefix }: Base,
  notFound: (method: string, head: Head) => Answer,
): HttpHandler[] {
  if (origin === '*') return []
  return ['', `${sandboxPrefix}/:sandbox`].map((sandbox) =>
    http.all(`${origin}${prefix}${sandbox}/api/*`, ({ request }) =>
      toResponse(request, notFound(request.method, request)),
    ),
  )
}

/** Answers a request by whichever of our handlers it is for. */
export async function answerBy(
  handlers: readonly HttpHandler[],
  request: Request,
  notFound: (method: string, head: Head) => Answer,
): Promise<Response> {
  for (const handler of handlers) {
    const door = doorOf(handler)
    const meeting = door && meetingOf(door, request.method, request)
    if (!meeting) continue
    const call = await toCall(request, meeting.bodyLimit)
    return toResponse(request, await meeting.answer(call))
  }
  return toResponse(request, notFound(request.method, request))
}
