import { type HttpHandler, http } from 'msw'
import { type Base, sandboxPrefix } from '../http/base.ts'
import type { Answer, Call, Head } from '../http/call.ts'
import { toMisspelt } from '../http/misspelt.ts'
import { type Family, toRoutes } from '../http/route.ts'
import type { Sandbox } from '../http/sandbox.ts'
import { Door, type EndpointDoor, meetingOf, type Service } from './door.ts'
import { toCall, toResponse } from './fetch.ts'
import { toHandlers } from './msw.ts'

/** The endpoints of a service, each as a door. */
export function toDoors<W, S extends Sandbox<W>>(
  families: readonly Family<W>[],
  base: Base,
  service: Service<W, S>,
): Door<W, S>[] {
  return toRoutes(families, base).map((route) => new Door(route, base, service))
}

type NotFound = (method: string, head: Head) => Answer

/**
 * What answers to paths that nothing describes: with a base of its own to all below `/api`, which are the service's
 * too; on any origin, where other APIs may be, only to those that are misspelt.
 */
export function notFoundHandlers(
  families: readonly Family<never>[],
  base: Base,
  notFound: NotFound,
): HttpHandler[] {
  const { origin, prefix } = base
  if (origin === '*') return toHandlers([misspeltDoor(families, base, notFound)])
  return ['', `${sandboxPrefix}/:sandbox`].map((sandbox) =>
    http.all(`${origin}${prefix}${sandbox}/api/*`, ({ request }) =>
      toResponse(request, notFound(request.method, request)),
    ),
  )
}

function misspeltDoor(
  families: readonly Family<never>[],
  base: Base,
  notFound: NotFound,
): EndpointDoor {
  const patterns = families.map(({ pattern }) => pattern)
  // Nobody reads its body: what nothing answers may have one of any size.
  const meeting = { params: {}, bodyLimit: 0, answer: (call: Call) => notFound(call.method, call) }
  const route = { endpoint: { id: 'misspelt', method: '*' as const } }
  return { base, route, path: toMisspelt(patterns, base), meet: () => meeting }
}

/** Answers a request by whichever door it is for. */
export async function answerBy(
  doors: readonly EndpointDoor[],
  request: Request,
  notFound: NotFound,
): Promise<Response> {
  for (const door of doors) {
    const meeting = meetingOf(door, request.method, request)
    if (!meeting) continue
    const call = await toCall(request, meeting.bodyLimit)
    return toResponse(request, await meeting.answer(call))
  }
  return toResponse(request, notFound(request.method, request))
}
