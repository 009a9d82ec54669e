import { distance } from 'fastest-levenshtein'
import type { SettingValues } from '../settings/setting.ts'
import { negotiate } from './check.ts'
import { type Endpoint, isEndpointEnabled } from './endpoint.ts'
import { type Failure, notFound, quote } from './failures.ts'
import { type ApiRequest, type ApiResponse, failureResponse } from './messages.ts'
import { isApiPath, isParameter, methodNotAllowed, splitPath } from './route.ts'

/**
 * Creates the response for a path that no endpoint has: that of the live service, with an additional header that names
 * the endpoints that were probably meant.
 *
 * @param path the path of the request, without a query
 * @param request a request below `/api`. As the service's source has it: all of these paths have every method
 */
export function endpointNotFound(
  path: string,
  suggestions: readonly EndpointSuggestion[],
  settings: SettingValues,
  request?: Pick<ApiRequest, 'method' | 'headers' | 'query'>,
): ApiResponse {
  const failure = unknownPath(path, suggestions)
  const response = request
    ? answerUnknownPath(failure, request, settings)
    : failureResponse(failure, settings)
  const nearest = suggestions.map(({ route }) => route).join(', ')
  const headers = { 'understudy-nearest': nearest, ...(request && { allow: allMethods }) }
  return { ...response, headers: { ...response.headers, ...headers } }
}

const allMethods = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'

function unknownPath(path: string, [nearest]: readonly EndpointSuggestion[]) {
  const reason = () => {
    // The URL of `OPTIONS *`, which has no path.
    const sentence = `no operation has the path ${quote(path === '/*' ? '*' : path)}`
    const [, route = ''] = nearest?.route.split(' ') ?? []
    // Others were found by what they have in common.
    const isSimilar =
      !isApiPath(route) || distance(path, route) <= Math.max(path.length, route.length) / 2
    return isSimilar ? `${sentence} (nearest: ${nearest?.route}; ${nearest?.difference})` : sentence
  }
  return notFound(reason, 'path', 'Endpoint not found.')
}

function answerUnknownPath(
  failure: Failure,
  request: Pick<ApiRequest, 'method' | 'headers' | 'query'>,
  settings: SettingValues,
) {
  const { method } = request
  try {
    negotiate(request, {})
    if (!allMethods.split(', ').includes(method)) throw methodNotAllowed(method)
    if (method !== 'OPTIONS') throw failure
    return { status: 200, headers: {}, body: null }
  } catch (error) {
    return failureResponse(error as Failure, settings)
  }
}

const maxSuggestions = 3

/** Longer segments are truncated, because the time to compare paths grows with the square of their length. */
const maxCompared = 64

interface EndpointSuggestion {
  /** `GET /api/projects/:project_id/annotations` */
  readonly route: string
  /** How the request differs: `segment 4: expected annotations, got annotation`. */
  readonly difference: string
}

/** Suggests the enabled endpoints whose method and path are most similar to those of a request. */
export function suggestEndpoints(
  method: string,
  path: string,
  endpoints: readonly Endpoint[],
  settings: SettingValues,
): EndpointSuggestion[] {
  const segments = splitPath(path)
  return endpoints
    .filter((endpoint) => isEndpointEnabled(endpoint, settings))
    .map((endpoint) => ({ endpoint, distance: distanceTo(endpoint, method, segments) }))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, maxSuggestions)
    .map(({ endpoint }) => ({
      route: `${endpoint.method} ${endpoint.path}`,
      difference: describePathDifference(endpoint, method, segments),
    }))
}

function distanceTo(endpoint: Endpoint, method: string, actual: readonly string[]) {
  const expected = splitPath(endpoint.path).map((segment, index) =>
    isParameter(segment) ? (actual[index] ?? segment) : segment,
  )
  const pathDistance = distance(truncate(expected), truncate(actual))
  return pathDistance + (endpoint.method === method ? 0 : 1)
}

function truncate(segments: readonly string[]) {
  return segments.map((segment) => segment.slice(0, maxCompared)).join('/')
}

function describePathDifference(endpoint: Endpoint, method: string, actual: readonly string[]) {
  const pattern = splitPath(endpoint.path)
  for (let index = 0; index < Math.max(pattern.length, actual.length); index++) {
    const [expected = 'nothing', got = 'nothing'] = [pattern[index], actual[index]]
    if (got === '') return `segment ${index + 1} is empty`
    const isId = isParameter(expected) && /^(?!.*%2f)[^.?#]+$/i.test(got) && got !== 'nothing'
    if (expected === got || isId) continue
    const wanted = isParameter(expected) ? 'an id' : expected
    return `segment ${index + 1}: expected ${wanted}, got ${got}`
  }
  return endpoint.method === method
    ? `the path begins with ${endpoint.path.slice(0, 4)}`
    : `method: expected ${endpoint.method}, got ${method}`
}
