import type { ApiResponse } from '../http/call.ts'
import { suggestEndpoints } from '../http/nearest.ts'
import { endpointNotFound } from '../http/not-found.ts'
import { resolvePolicies } from '../policies/settings.ts'
import { allControlEndpoints } from './endpoints.ts'

/**
 * The answer to a path of the control API that it does not have: it names the endpoints that were probably meant.
 *
 * @param path without the sandbox
 * @example controlNotFound('POST', '/__admin/sandbox').headers['understudy-nearest'] // 'POST /__admin/sandboxes, …'
 */
export function controlNotFound(method: string, path: string): ApiResponse {
  const settings = resolvePolicies()
  return endpointNotFound(suggestEndpoints(method, path, allControlEndpoints, settings), settings)
}
