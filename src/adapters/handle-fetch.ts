import type { ApiHandler } from '../http/route.ts'
import { type NotFound, toApiRequest, toResponse } from './fetch.ts'

/** Handles a request as a server does. A page does not load it first, because MSW calls the handlers there. */
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
