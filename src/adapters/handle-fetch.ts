import type { ApiHandler } from '../http/route.ts'
import { type NotFound, toApiRequest, toResponse } from './fetch.ts'

/** Responds to a request as a server does: also if no handler matches. */
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

/** MSW marks the response of `passthrough()` with a header. */
export function isPassthrough({ headers }: Response): boolean {
  return headers.get('x-msw-intention') === 'passthrough'
}
