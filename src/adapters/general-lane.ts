import type { ServerResponse } from 'node:http'
import { createHeaders, sendResponse } from '@remix-run/node-fetch-server'
import type { RequestHandler } from 'msw'
import { Failure } from '../errors.ts'
import type { Call } from '../http/call.ts'
import { type EndpointDoor, type Meeting, meetingOf } from './door.ts'
import type { ExpressOptions } from './express.ts'
import { arrivedAs, toCall, toResponse } from './fetch.ts'
import { reset } from './node-answer.ts'
import { hasBody, wholeBody } from './node-body.ts'
import { absolute, addressOf, NodeCall, type NodeRequest, originOf } from './node-call.ts'
import { answerFailure } from './node-failure.ts'

/** What may answer: a door of ours, or a handler, which may be ours as well. */
export interface Step {
  readonly door: EndpointDoor | null
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
export async function runInOrder(
  steps: readonly Step[],
  request: NodeRequest,
  response: ServerResponse,
  { onError, bodyLimit }: Required<Pick<ExpressOptions, 'onError' | 'bodyLimit'>>,
): Promise<boolean> {
  const meeting = firstMeeting(steps, request)
  // Only handlers of others have to be asked before it is known whether they match.
  if (!meeting && steps.every(({ door }) => door)) return false
  try {
    const body = hasBody(request) ? await wholeBody(request, meeting?.bodyLimit ?? bodyLimit) : null
    if (body === 'too_large' && !meeting) throw new Failure('body_too_large')
    const asked = toRequest(request, response, body)
    const baseUrl = originOf(request)
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
    answerFailure(response, error, onError)
    return true
  }
}

function firstMeeting(steps: readonly Step[], request: NodeRequest): Meeting | null {
  const { method = 'GET', url = '/' } = request
  const call = new NodeCall(request)
  for (const { door } of steps) {
    const found = door?.path.match(url)
    const meeting = found && door?.meet(method, found, call)
    if (meeting) return meeting
  }
  return null
}

async function run(
  { door, handler }: Step,
  request: Request,
  baseUrl: string,
): Promise<Response | undefined> {
  const meeting = door && meetingOf(door, request.method, request)
  if (door && !meeting) return undefined
  if (meeting && !handler) {
    const call = await toCall(request, meeting.bodyLimit)
    return toResponse(request, await meeting.answer(call))
  }
  const result = await handler?.().run({
    request,
    requestId: crypto.randomUUID(),
    resolutionContext: { baseUrl },
  })
  return result?.response
}

/** The body was read before any handler runs, and is kept for whoever comes next. */
function toRequest(request: NodeRequest, response: ServerResponse, body: Call['body']): Request {
  const { method = 'GET', url = '/' } = request
  if (body !== 'too_large') request.body ??= body ?? undefined
  const abort = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) abort.abort()
  })
  const asked = new Request(absolute(request, url), {
    method,
    headers: createHeaders(request),
    body: body === 'too_large' ? null : (body as BodyInit | null),
    signal: abort.signal,
  })
  return arrivedAs(asked, { url: addressOf(request), isTooLarge: body === 'too_large' })
}

async function send(response: ServerResponse, given: Response): Promise<void> {
  // Response.error() is how MSW says that the network failed: nothing is written, as when a server dies.
  if (given.type === 'error') reset(response)
  else await sendResponse(response, given)
}

function isPassthrough(given: Response): boolean {
  return given.headers.get('x-msw-intention') === 'passthrough'
}
