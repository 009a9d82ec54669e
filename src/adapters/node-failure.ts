import type { ServerResponse } from 'node:http'
import { Failure } from '../errors.ts'
import { isSimulatedNetworkError } from '../http/broken.ts'
import { failureResponse } from '../http/failure.ts'
import { resolvePolicies } from '../policies/settings.ts'
import { closeAfterWrites, writeResponse } from './node-answer.ts'

/**
 * The end of a request whose answer could not be made or sent: a refusal, or the service's 500, and the exception
 * for `onError` alone.
 */
export function respondWithFailure(
  response: ServerResponse,
  error: unknown,
  onError: (error: unknown) => void,
): void {
  if (response.destroyed) return
  const refusal = error instanceof Failure ? error : new Failure('server_error')
  if (error !== refusal && !isSimulatedNetworkError(error)) onError(error)
  if (response.headersSent) closeAfterWrites(response)
  else writeResponse(response, failureResponse(refusal, resolvePolicies()))
}
