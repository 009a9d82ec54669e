import type { ServerResponse } from 'node:http'
import type { Call } from '../http/call.ts'
import type { Meeting } from './door.ts'
import { writeAnswer } from './node-answer.ts'
import { hasBody, readBody } from './node-body.ts'
import type { NodeCall } from './node-call.ts'
import { answerFailure } from './node-failure.ts'
import { Outbox } from './outbox.ts'

/** How an answer leaves, and what becomes of a request that has none. */
export interface Exit {
  readonly outbox: Outbox
  readonly fail: (response: ServerResponse, error: unknown) => void
}

/** @param onError told of exceptions in handlers, which callers see as a 500 */
export function toExit(onError: (error: unknown) => void): Exit {
  const fail = (response: ServerResponse, error: unknown) => answerFailure(response, error, onError)
  const outbox = new Outbox((response, answer) => {
    try {
      writeAnswer(response, answer)
    } catch (error) {
      // Headers that HTTP knows no way to write are found only now.
      fail(response, error)
    }
  })
  return { outbox, fail }
}

/** Answers a request by one of our own endpoints, without fetch objects. */
export function answerDirectly(
  meeting: Meeting,
  call: NodeCall,
  response: ServerResponse,
  exit: Exit,
): void {
  const { request } = call
  if (!hasBody(request)) {
    send(meeting, call, response, exit)
    return
  }
  const answer = (body: Call['body']) => {
    call.body = body
    send(meeting, call, response, exit)
  }
  // When the caller went away there is nobody to answer.
  readBody(request, meeting.bodyLimit, answer, () => response.destroy())
}

function send(
  meeting: Meeting,
  call: NodeCall,
  response: ServerResponse,
  { outbox, fail }: Exit,
): void {
  try {
    const given = meeting.answer(call)
    if (!(given instanceof Promise)) outbox.put(response, given)
    else {
      given.then(
        (late) => outbox.put(response, late),
        (error) => fail(response, error),
      )
    }
  } catch (error) {
    fail(response, error)
  }
}
