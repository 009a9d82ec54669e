import type { ServerResponse } from 'node:http'
import { Failure } from '../errors.ts'
import { isBrokenOff } from '../http/broken.ts'
import { toAnswer } from '../http/failure.ts'
import { settle } from '../policies/settings.ts'
import { breakOff, writeAnswer } from './node-answer.ts'

/**
 * The end of a request whose answer could not be made or sent: a refusal, or the service's 500, and the exception
 * for `onError` alone.
 */
export function answerFailure(
  response: ServerResponse,
  error: unknown,
  onError: (error: unknown) => void,
): void {
  if (response.destroyed) return
  const refusal = error instanceof Failure ? error : new Failure('server_error')
  if (error !== refusal && !isBrokenOff(error)) onError(error)
  if (response.headersSent) breakOff(response)
  else writeAnswer(response, toAnswer(refusal, settle()))
}
