import { Failure } from '../errors.ts'
import type { PolicySettings } from '../policies/policies.ts'
import type { Answer } from './call.ts'
import { toAnswer } from './failure.ts'
import type { Near } from './nearest.ts'

/**
 * The answer to a path that no endpoint has, where we are the server (observed §1). A header names the
 * endpoints that were probably meant, which the service does not do.
 */
export function endpointNotFound(nearest: readonly Near[], settings: PolicySettings): Answer {
  const given = toAnswer(new Failure('not_found', 'Endpoint not found.'), settings)
  const names = nearest.map(({ route }) => route).join(', ')
  return { ...given, headers: { ...given.headers, 'understudy-nearest': names } }
}
