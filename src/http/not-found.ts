import { Failure } from '../errors.ts'
import type { PolicySettings } from '../policies/policies.ts'
import type { ApiResponse } from './call.ts'
import { failureResponse } from './failure.ts'
import type { EndpointSuggestion } from './nearest.ts'

/**
 * The answer to a path that no endpoint has, where we are the server (observed §1). A header names the
 * endpoints that were probably meant, which the service does not do.
 */
export function endpointNotFound(
  nearest: readonly EndpointSuggestion[],
  settings: PolicySettings,
): ApiResponse {
  const given = failureResponse(new Failure('not_found', 'Endpoint not found.'), settings)
  const names = nearest.map(({ route }) => route).join(', ')
  return { ...given, headers: { ...given.headers, 'understudy-nearest': names } }
}
