import { distance } from 'fastest-levenshtein'
import type { PolicySettings } from '../policies/policies.ts'
import { type BaseUrl, baseUrlPattern } from './base-url.ts'
import type { Endpoint } from './endpoint.ts'
import { Failure, failureResponse } from './failures.ts'
import type { ApiResponse } from './messages.ts'
import { isEndpointEnabled } from './methods.ts'
import type { PathMatcher, PathPattern } from './path.ts'

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

/** The most letters in which a word differs from the one that was meant; of short words, a third of theirs. */
const maxTypos = 2

/**
 * A matcher of addresses that nearly have one of the paths: each of its words is there but one, which is misspelt. It
 * takes no address that another API may well have: a word besides the first is as it is in the path.
 *
 * @example toMisspelt(patterns, toBase('*')).match('http://a.test/api/projects/1/anotations/') // { params: {}, … }
 */
export function createTypoMatcher(patterns: readonly PathPattern[], base: BaseUrl): PathMatcher {
  const beginning = new RegExp(`^${baseUrlPattern(base)}(/[^?#]*)`)
  const paths = patterns.map(({ text }) => splitPath(text))
  return {
    pattern: '/api/*',
    match(url) {
      const [, sandboxId, path] = beginning.exec(url) ?? []
      if (path === undefined) return null
      const asked = splitPath(path.replace(/\/$/, ''))
      if (asked.includes('')) return null
      const near = paths.filter((segments) => segments.length === asked.length)
      // An address that has a path is not meant, however near it is to another.
      if (near.some((segments) => differingSegments(asked, segments).length === 0)) return null
      if (!near.some((segments) => isTypo(asked, segments))) return null
      return { params: {}, suffix: undefined, sandboxId }
    },
  }
}

function isTypo(asked: readonly string[], segments: readonly string[]): boolean {
  const [at = 0, ...more] = differingSegments(asked, segments)
  const isAlone = segments.filter((segment) => !segment.startsWith(':')).length < 3
  if (at === 0 || more.length > 0 || isAlone) return false
  const [got, meant] = [asked[at] as string, segments[at] as string]
  const most = Math.min(maxTypos, Math.floor(meant.length / 3))
  return Math.abs(got.length - meant.length) <= most && distance(got, meant) <= most
}

/** Where words of a path are not as they were asked for. */
function differingSegments(asked: readonly string[], segments: readonly string[]): number[] {
  return segments.flatMap((segment, index) =>
    segment.startsWith(':') || segment === asked[index] ? [] : [index],
  )
}

function splitPath(path: string): string[] {
  return path.split('/').slice(1)
}
