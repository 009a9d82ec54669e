import type { ServerResponse } from 'node:http'
import { createHeaders, sendResponse } from '@remix-run/node-fetch-server'
import type { RequestHandler } from 'msw'
import { Failure } from '../../http/failures.ts'
import type { ApiRequest } from '../../http/messages.ts'
import { matchRequest, type RequestMatch, type RequestMatcher } from '../endpoint-handler.ts'
import { attachServerInfo, toApiRequest, toResponse } from '../fetch.ts'
import type { ExpressOptions } from './express.ts'
import {
  NodeApiRequest,
  type NodeRequest,
  requestOrigin,
  requestUrl,
  toAbsoluteUrl,
} from './node-request.ts'
import { hasBody, readWholeBody } from './read-body.ts'
import { resetConnection, respondWithFailure } from './write-response.ts'

/** What may answer: a door of ours, or a handler, which may be ours as well. */
export interface HandlerStep {
  readonly matcher: RequestMatcher | null
  /** The handler to run, made when it is its turn; null where the shorter way by the door is taken. */
  readonly handler: (() => RequestHandler) | null
}

/** Set on a request that a handler passed through: it is nobody's fault that nothing answers it. */
export const passedThrough: unique symbol = Symbol('passed through')

/**
 * Sends a request through MSW handlers in their order, by MSW's public `run` and with a real Request.
 *
 * @returns whether one of them answered
 */
export async function runMswHandlers(
  steps: readonly HandlerStep[],
  request: NodeRequest,
  response: ServerResponse,
  { onError, bodyLimit }: Required<Pick<ExpressOptions, 'onError' | 'bodyLimit'>>,
): Promise<boolean> {
  const meeting = firstMeeting(steps, request)
  // Only handlers of others have to be asked before it is known whether they match.
  if (!meeting && steps.every(({ matcher }) => matcher)) return false
  try {
    const body = hasBody(request)
      ? await readWholeBody(request, meeting?.bodyLimit ?? bodyLimit)
      : null
    if (body === 'too_large' && !meeting) throw new Failure('body_too_large')
    const asked = toRequest(request, response, body)
    const baseUrl = requestOrigin(request)
    for (const step of steps) {
      const given = await run(step, asked, baseUrl)
      if (given === undefined) continue
      if (isPassthrough(given)) {
        Object.assign(request, { [passedThrough]: true })
        return false
      }
      await send(response, given)
      return true
    }
    return false
  } catch (error) {
    respondWithFailure(response, error, onError)
    return true
  }
}

function firstMeeting(steps: readonly HandlerStep[], request: NodeRequest): RequestMatch | null {
  const { method = 'GET', url = '/' } = request
  const call = new NodeApiRequest(request)
  for (const { matcher } of steps) {
    const found = matcher?.path.match(url)
    const meeting = found && matcher?.match(method, found, call)
    if (meeting) return meeting
  }
  return null
}

async function run(
  { matcher, handler }: HandlerStep,
  request: Request,
  baseUrl: string,
): Promise<Response | undefined> {
  const meeting = matcher && matchRequest(matcher, request.method, request)
  if (matcher && !meeting) return undefined
  if (meeting && !handler) {
    const call = await toApiRequest(request, meeting.bodyLimit)
    return toResponse(request, await meeting.handle(call))
  }
  const result = await handler?.().run({
    request,
    requestId: crypto.randomUUID(),
    resolutionContext: { baseUrl },
  })
  return result?.response
}

/** The body was read before any handler runs, and is kept for whoever comes next. */
function toRequest(
  request: NodeRequest,
  response: ServerResponse,
  body: ApiRequest['body'],
): Request {
  const { method = 'GET', url = '/' } = request
  if (body !== 'too_large') request.body ??= body ?? undefined
  const abort = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) abort.abort()
  })
  const asked = new Request(toAbsoluteUrl(request, url), {
    method,
    headers: createHeaders(request),
    body: body === 'too_large' ? null : (body as BodyInit | null),
    signal: abort.signal,
  })
  return attachServerInfo(asked, { url: requestUrl(request), isTooLarge: body === 'too_large' })
}

async function send(response: ServerResponse, given: Response): Promise<void> {
  // Response.error() is how MSW says that the network failed: nothing is written, as when a server dies.
  if (given.type === 'error') resetConnection(response)
  else await sendResponse(response, given)
}

function isPassthrough(given: Response): boolean {
  return given.headers.get('x-msw-intention') === 'passthrough'
}
