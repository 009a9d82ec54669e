import { distance } from 'fastest-levenshtein'
import type { PolicySettings } from '../policies/policies.ts'
import type { Endpoint } from './endpoint.ts'
import { isEndpointEnabled } from './methods.ts'

/** How many routes are told. */
const maxSuggestions = 3

/** What is compared of a path: comparing costs the square of its length. */
const comparedLength = { segments: 12, characters: 64 }

/** A route that was probably meant. */
export interface EndpointSuggestion {
  /** `GET /api/projects/:project_id/annotations` */
  readonly route: string
  /** Where what was asked differs from it, such as `segment 4: expected annotations, got annotation`. */
  readonly differs: string
}

/**
 * The routes nearest to what was asked, of those that the policies leave switched on.
 *
 * @example nearestRoutes('GET', '/api/project/1/annotations', endpoints, settings)[0]
 * // { route: 'GET /api/projects/:project_id/annotations', differs: 'segment 2: expected projects, got project' }
 */
export function suggestEndpoints(
  method: string,
  path: string,
  endpoints: readonly Endpoint<never>[],
  settings: PolicySettings,
): EndpointSuggestion[] {
  const asked = splitTruncatedPath(path)
  return endpoints
    .filter((endpoint) => isEndpointEnabled(endpoint, settings))
    .map((endpoint) => ({ endpoint, far: distanceTo(endpoint, method, asked) }))
    .sort((a, b) => a.far - b.far)
    .slice(0, maxSuggestions)
    .map(({ endpoint }) => ({
      route: `${endpoint.method} ${endpoint.path}`,
      differs: describeDifference(endpoint, method, asked),
    }))
}

function distanceTo(endpoint: Endpoint<never>, method: string, asked: readonly string[]): number {
  const named = splitTruncatedPath(endpoint.path).map((segment, index) =>
    segment.startsWith(':') ? (asked[index] ?? segment) : segment,
  )
  const far = distance(named.join('/'), asked.join('/'))
  return far + (endpoint.method === method ? 0 : 1)
}

/** The first segment that differs, counted from 1; where all are the same it is the method. */
function describeDifference(
  endpoint: Endpoint<never>,
  method: string,
  asked: readonly string[],
): string {
  const named = splitTruncatedPath(endpoint.path)
  for (let index = 0; index < Math.max(named.length, asked.length); index++) {
    const [expected = 'nothing', got = 'nothing'] = [named[index], asked[index]]
    const isParameter = expected.startsWith(':') && got !== 'nothing'
    if (!isParameter && expected !== got) {
      return `segment ${index + 1}: expected ${expected}, got ${got}`
    }
  }
  return `method: expected ${endpoint.method}, got ${method}`
}

function splitTruncatedPath(path: string): string[] {
  return path
    .slice(0, comparedLength.segments * comparedLength.characters)
    .replace(/\/{1,64}$/, '')
    .split('/', comparedLength.segments + 1)
    .slice(1)
    .map((segment) => segment.slice(0, comparedLength.characters))
}
