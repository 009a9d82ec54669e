import type { PolicySettings } from '../policies/policies.ts'
import type { BaseUrl } from './base-url.ts'
import type { Endpoint } from './endpoint.ts'
import { isEndpointEnabled, type PathEndpoints, undocumentedEndpoints } from './methods.ts'
import {
  createPathMatcher,
  type PathMatch,
  type PathMatcher,
  type PathPattern,
  parsePathPattern,
} from './path.ts'

/** The endpoints of one path. */
export interface PathItem<W> {
  readonly pattern: PathPattern
  /** The described ones. */
  readonly endpoints: PathEndpoints<W>
  /** Those, OPTIONS, and what answers to methods the path does not have. */
  readonly allEndpoints: readonly Endpoint<W>[]
}

/** An endpoint in its place. */
export interface EndpointRoute<W> {
  readonly endpoint: Endpoint<W>
  readonly path: PathMatcher
  readonly pathItem: PathItem<W>
}

/**
 * Endpoints by their path, and for each path OPTIONS and the methods it does not have.
 *
 * @throws Error when two endpoints share id, or method and path
 */
export function createPathItems<W>(endpoints: readonly Endpoint<W>[]): PathItem<W>[] {
  checkUnique(endpoints.map(({ id }) => id))
  checkUnique(endpoints.map(({ method, path }) => `${method} ${path}`))
  const patterns = [...new Set(endpoints.map(({ path }) => path))]
  return patterns.map((text) => {
    const siblings = endpoints.filter(({ path }) => path === text) as [
      Endpoint<W>,
      ...Endpoint<W>[],
    ]
    const all = [...siblings, ...undocumentedEndpoints(siblings)]
    return { pattern: parsePathPattern(text, patterns), endpoints: siblings, allEndpoints: all }
  })
}

/**
 * Every endpoint as a route. At most one route matches a request: their order carries no meaning.
 */
export function createRoutes<W>(
  pathItems: readonly PathItem<W>[],
  base: BaseUrl,
): EndpointRoute<W>[] {
  return pathItems.flatMap((pathItem) => {
    const path = createPathMatcher(pathItem.pattern, base)
    return pathItem.allEndpoints.map((endpoint) => ({ endpoint, path, pathItem }))
  })
}

/** Whether a route may answer a method, whatever the policies say: HEAD goes where GET goes. */
export function handlesMethod({ method }: Endpoint<never>, asked: string): boolean {
  return method === asked || method === '*' || (method === 'GET' && asked === 'HEAD')
}

/**
 * The path parameters of a request that a route answers; null for any other request.
 *
 * @param found what the path of the route found in the address
 * @example paramsOf(route, 'GET', found, settings) // { project_id: '1' }
 */
export function matchRoute(
  { endpoint, pathItem }: EndpointRoute<never>,
  method: string,
  found: PathMatch,
  settings: PolicySettings,
): Readonly<Record<string, string>> | null {
  if (endpoint.method !== '*') {
    if (!handlesMethod(endpoint, method) || !isEndpointEnabled(endpoint, settings)) return null
  } else if (pathItem.allEndpoints.some((other) => isAvailable(other, method, settings)))
    return null
  if (found.suffix === undefined) return found.params
  return settings['paths.format'] === 'off' ? null : { ...found.params, format: found.suffix }
}

/** A route, and the parameters that it finds in the path of a request. */
export interface ResolvedRoute<W> {
  readonly route: EndpointRoute<W>
  readonly params: Readonly<Record<string, string>>
}

/** The route of the same path by which a request is answered under some policies; null where they have none. */
export function resolveRoute<W>(
  settings: PolicySettings,
  { pathItem, path }: EndpointRoute<W>,
  method: string,
  found: PathMatch,
): ResolvedRoute<W> | null {
  for (const endpoint of pathItem.allEndpoints) {
    const route = { endpoint, pathItem, path }
    const params = matchRoute(route, method, found, settings)
    if (params) return { route, params }
  }
  return null
}

/** Where a policy switches an endpoint on, the one for the rest makes way for it. */
function isAvailable(endpoint: Endpoint<never>, method: string, settings: PolicySettings): boolean {
  return (
    endpoint.method !== '*' &&
    handlesMethod(endpoint, method) &&
    isEndpointEnabled(endpoint, settings)
  )
}

function checkUnique(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) {
    throw new Error(`Failed to describe the endpoints: expected each once, got "${twice}" twice.`)
  }
}
