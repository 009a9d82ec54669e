import { distance } from 'fastest-levenshtein'
import type { SettingValues } from '../settings/setting.ts'
import { toJsonText } from '../utils/json.ts'
import { negotiate } from './answer.ts'
import type { Endpoint } from './endpoint.ts'
import { failureResponse } from './failure-response.ts'
import { type Failure, notFound } from './failures.ts'
import { type ApiRequest, type ApiResponse, jsonResponse } from './messages.ts'
import { describePath, isEndpointEnabled, methodNotAllowed } from './route.ts'
import {
  type BaseUrl,
  baseUrlPattern,
  isParameter,
  type PathMatcher,
  type PathPattern,
  splitPath,
} from './url.ts'

/**
 * Creates the response for a path that no endpoint has: that of the live service, with an additional header that names
 * the endpoints that were probably meant.
 *
 * @param request a request below `/api`, for which the setting `paths.unknown` decides
 */
export function endpointNotFound(
  suggestions: readonly EndpointSuggestion[],
  settings: SettingValues,
  request?: Pick<ApiRequest, 'method' | 'headers' | 'query'>,
  detail?: string,
): ApiResponse {
  const headers = { 'understudy-nearest': suggestions.map(({ route }) => route).join(', ') }
  if (!request || settings['paths.unknown'] === 'not_found') {
    const response = failureResponse(unknownPath(detail), settings)
    return { ...response, headers: { ...response.headers, ...headers } }
  }
  const response = describeUnknownPath(request, settings)
  return { ...response, headers: { ...response.headers, ...headers, allow: allMethods } }
}

const unknownPath = (detail = 'Endpoint not found.') => notFound({ id: 'path.unknown' }, detail)
const allMethods = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'

function describeUnknownPath(
  request: Pick<ApiRequest, 'method' | 'headers' | 'query'>,
  settings: SettingValues,
): ApiResponse {
  const { method } = request
  try {
    negotiate({}, request, {}, settings)
    if (!allMethods.split(', ').includes(method)) throw methodNotAllowed(method)
    if (method !== 'OPTIONS') throw unknownPath()
    return jsonResponse(200, toJsonText(describePath('Api Not Found', settings)))
  } catch (error) {
    return failureResponse(error as Failure, settings)
  }
}

const maxSuggestions = 3

/** Longer paths are truncated, because the time to compare paths grows with the square of their length. */
const maxCompared = { segments: 12, characters: 64 }

export interface EndpointSuggestion {
  /** `GET /api/projects/:project_id/annotations` */
  readonly route: string
  /** How the request differs: `segment 4: expected annotations, got annotation`. */
  readonly difference: string
}

/** Suggests the enabled endpoints whose method and path are most similar to those of a request. */
export function suggestEndpoints(
  method: string,
  path: string,
  endpoints: readonly Endpoint<never>[],
  settings: SettingValues,
): EndpointSuggestion[] {
  const segments = splitTruncatedPath(path)
  return endpoints
    .filter((endpoint) => isEndpointEnabled(endpoint, settings))
    .map((endpoint) => ({ endpoint, distance: distanceTo(endpoint, method, segments) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, maxSuggestions)
    .map(({ endpoint }) => ({
      route: `${endpoint.method} ${endpoint.path}`,
      difference: describeDifference(endpoint, method, segments),
    }))
}

function distanceTo(endpoint: Endpoint<never>, method: string, actual: readonly string[]): number {
  const expected = splitTruncatedPath(endpoint.path).map((segment, index) =>
    isParameter(segment) ? (actual[index] ?? segment) : segment,
  )
  const pathDistance = distance(expected.join('/'), actual.join('/'))
  return pathDistance + (endpoint.method === method ? 0 : 1)
}

function describeDifference(
  endpoint: Endpoint<never>,
  method: string,
  actual: readonly string[],
): string {
  const pattern = splitTruncatedPath(endpoint.path)
  for (let index = 0; index < Math.max(pattern.length, actual.length); index++) {
    const [expected = 'nothing', got = 'nothing'] = [pattern[index], actual[index]]
    const isMatch = expected === got || (isParameter(expected) && got !== 'nothing')
    if (!isMatch) return `segment ${index + 1}: expected ${expected}, got ${got}`
  }
  return `method: expected ${endpoint.method}, got ${method}`
}

function splitTruncatedPath(path: string): string[] {
  const { segments, characters } = maxCompared
  return path
    .slice(0, segments * characters)
    .replace(/\/{1,64}$/, '')
    .split('/', segments + 1)
    .slice(1)
    .map((segment) => segment.slice(0, characters))
}

/** How many letters of a misspelled word may differ. The words of our paths have six letters or more. */
const maxTypos = 2

/**
 * Creates a matcher for URLs in which one word of a path is misspelled. It never matches a URL that another API could
 * have: a second word must be spelled correctly.
 */
export function createTypoMatcher(patterns: readonly PathPattern[], base: BaseUrl): PathMatcher {
  const urlStart = new RegExp(`^${baseUrlPattern(base)}(/[^?#]*)`)
  const paths = patterns.map(({ text }) => splitPath(text))
  return {
    pattern: '/api/*',
    match(url) {
      const [, sandboxId, path] = urlStart.exec(url) ?? []
      if (path === undefined) return null
      const actual = splitPath(path.replace(/\/$/, ''))
      if (actual.includes('')) return null
      const differences = paths
        .filter((segments) => segments.length === actual.length)
        .map((segments) => ({ segments, indexes: differingIndexes(segments, actual) }))
      // A correct path can be similar to another one.
      if (differences.some(({ indexes }) => indexes.length === 0)) return null
      if (!differences.some(({ segments, indexes }) => isTypo(segments, actual, indexes)))
        return null
      return { params: {}, suffix: undefined, sandboxId }
    },
  }
}

function isTypo(
  segments: readonly string[],
  actual: readonly string[],
  [index = 0, ...more]: readonly number[],
): boolean {
  const words = segments.filter((segment) => !isParameter(segment))
  if (index === 0 || more.length > 0 || words.length < 3) return false
  const [expected, got] = [segments[index] as string, actual[index] as string]
  return Math.abs(got.length - expected.length) <= maxTypos && distance(got, expected) <= maxTypos
}

function differingIndexes(segments: readonly string[], actual: readonly string[]): number[] {
  return segments.flatMap((segment, index) =>
    isParameter(segment) || segment === actual[index] ? [] : [index],
  )
}
