import type { Answer } from '../http/call.ts'
import { nearestRoutes } from '../http/nearest.ts'
import { endpointNotFound } from '../http/not-found.ts'
import { settle } from '../policies/settings.ts'
import { controlEndpoints } from './endpoints.ts'

/**
 * The answer to a path of the control API that it does not have: it names the endpoints that were probably meant.
 *
 * @param path without the sandbox
 * @example controlNotFound('POST', '/__admin/sandbox').headers['understudy-nearest'] // 'POST /__admin/sandboxes, …'
 */
export function controlNotFound(method: string, path: string): Answer {
  const settings = settle()
  return endpointNotFound(nearestRoutes(method, path, controlEndpoints, settings), settings)
}
