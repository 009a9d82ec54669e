import { distance } from 'fastest-levenshtein'
import { Failure } from '../errors.ts'
import type { PolicySettings } from '../policies/policies.ts'
import type { Answer } from './call.ts'
import type { Endpoint } from './endpoint.ts'
import { toAnswer } from './failure.ts'

/**
 * The answer to a path that no endpoint has, where we are the server (observed §1). A header names the
 * endpoints that were probably meant, which the service does not do.
 */
export function endpointNotFound(nearest: readonly string[], settings: PolicySettings): Answer {
  const given = toAnswer(new Failure('not_found', 'Endpoint not found.'), settings)
  return { ...given, headers: { ...given.headers, 'understudy-nearest': nearest.join(', ') } }
}

/** @example nearestEndpoints('GET', '/api/project/1/annotations', endpoints, 1) // ['GET /api/projects/:project_id/annotations'] */
export function nearestEndpoints(
  method: string,
  path: string,
  endpoints: readonly Endpoint<never>[],
  count: number,
): string[] {
  const asked = path.replace(/\/+$/, '').split('/')
  return endpoints
    .map((endpoint) => {
      const named = endpoint.path
        .split('/')
        .map((segment, index) => (segment.startsWith(':') ? (asked[index] ?? segment) : segment))
      const far = distance(named.join('/'), asked.join('/'))
      return {
        name: `${endpoint.method} ${endpoint.path}`,
        far: far + (endpoint.method === method ? 0 : 1),
      }
    })
    .sort((a, b) => a.far - b.far)
    .slice(0, count)
    .map(({ name }) => name)
}
