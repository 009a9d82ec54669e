import { distance } from 'fastest-levenshtein'
import type { PolicySettings } from '../policies/policies.ts'
import type { Endpoint } from './endpoint.ts'
import { isEnabled } from './methods.ts'

/** How many routes are told. */
const told = 3

/** What is compared of a path: comparing costs the square of its length. */
const longest = { segments: 12, characters: 64 }

/** A route that was probably meant. */
export interface Near {
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
export function nearestRoutes(
  method: string,
  path: string,
  endpoints: readonly Endpoint<never>[],
  settings: PolicySettings,
): Near[] {
  const asked = segmentsOf(path)
  return endpoints
    .filter((endpoint) => isEnabled(endpoint, settings))
    .map((endpoint) => ({ endpoint, far: farness(endpoint, method, asked) }))
    .sort((a, b) => a.far - b.far)
    .slice(0, told)
    .map(({ endpoint }) => ({
      route: `${endpoint.method} ${endpoint.path}`,
      differs: difference(endpoint, method, asked),
    }))
}

function farness(endpoint: Endpoint<never>, method: string, asked: readonly string[]): number {
  const named = segmentsOf(endpoint.path).map((segment, index) =>
    segment.startsWith(':') ? (asked[index] ?? segment) : segment,
  )
  const far = distance(named.join('/'), asked.join('/'))
  return far + (endpoint.method === method ? 0 : 1)
}

/** The first segment that differs, counted from 1; where all are the same it is the method. */
function difference(endpoint: Endpoint<never>, method: string, asked: readonly string[]): string {
  const named = segmentsOf(endpoint.path)
  for (let index = 0; index < Math.max(named.length, asked.length); index++) {
    const [expected = 'nothing', got = 'nothing'] = [named[index], asked[index]]
    const isParameter = expected.startsWith(':') && got !== 'nothing'
    if (!isParameter && expected !== got) {
      return `segment ${index + 1}: expected ${expected}, got ${got}`
    }
  }
  return `method: expected ${endpoint.method}, got ${method}`
}

function segmentsOf(path: string): string[] {
  return path
    .slice(0, longest.segments * longest.characters)
    .replace(/\/{1,64}$/, '')
    .split('/', longest.segments + 1)
    .slice(1)
    .map((segment) => segment.slice(0, longest.characters))
}
