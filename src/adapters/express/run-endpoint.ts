import type { ServerResponse } from 'node:http'
import type { ApiRequest } from '../../http/messages.ts'
import type { RequestMatch } from '../endpoint-handler.ts'
import type { NodeApiRequest } from './node-request.ts'
import { hasBody, readBody } from './read-body.ts'
import { ResponseBatch } from './response-batch.ts'
import { respondWithFailure, writeResponse } from './write-response.ts'

/** How an answer leaves, and what becomes of a request that has none. */
export interface ResponseSender {
  readonly batch: ResponseBatch
  readonly fail: (response: ServerResponse, error: unknown) => void
}

/** @param onError told of exceptions in handlers, which callers see as a 500 */
export function createResponseSender(onError: (error: unknown) => void): ResponseSender {
  const fail = (response: ServerResponse, error: unknown) =>
    respondWithFailure(response, error, onError)
  const outbox = new ResponseBatch((response, answer) => {
    try {
      writeResponse(response, answer)
    } catch (error) {
      // Headers that HTTP knows no way to write are found only now.
      fail(response, error)
    }
  })
  return { batch: outbox, fail }
}

/** Answers a request by one of our own endpoints, without fetch objects. */
export function runEndpoint(
  meeting: RequestMatch,
  call: NodeApiRequest,
  response: ServerResponse,
  exit: ResponseSender,
): void {
  const { request } = call
  if (!hasBody(request)) {
    send(meeting, call, response, exit)
    return
  }
  const answer = (body: ApiRequest['body']) => {
    call.body = body
    send(meeting, call, response, exit)
  }
  // When the caller went away there is nobody to answer.
  readBody(request, meeting.bodyLimit, answer, () => response.destroy())
}

function send(
  meeting: RequestMatch,
  call: NodeApiRequest,
  response: ServerResponse,
  { batch, fail }: ResponseSender,
): void {
  try {
    const given = meeting.handle(call)
    if (!(given instanceof Promise)) batch.add(response, given)
    else {
      given.then(
        (late) => batch.add(response, late),
        (error) => fail(response, error),
      )
    }
  } catch (error) {
    fail(response, error)
  }
}
