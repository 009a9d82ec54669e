import type { PolicySettings } from '../policies/policies.ts'
import type { Endpoint } from './endpoint.ts'
import { isEndpointEnabled, type PathEndpoints, undocumentedEndpoints } from './methods.ts'
import { type PathMatch, type PathParams, type PathPattern, parsePathPattern } from './path.ts'

/** The endpoints of one path. */
export interface PathItem<W> {
  readonly pattern: PathPattern
  /** The endpoints that are described. */
  readonly endpoints: PathEndpoints<W>
  /** The described endpoints, OPTIONS, and the endpoint for every other method. */
  readonly allEndpoints: readonly Endpoint<W>[]
}

/** An endpoint that answers a request, and the parameters of its path. */
export interface ResolvedRoute<W> {
  readonly endpoint: Endpoint<W>
  readonly pathItem: PathItem<W>
  readonly params: PathParams
}

/**
 * Groups endpoints by path. Each path gets OPTIONS and an endpoint for the methods that it does not have.
 *
 * @throws Error when two endpoints share an id, or method and path
 */
export function createPathItems<W>(endpoints: readonly Endpoint<W>[]): PathItem<W>[] {
  checkUnique(endpoints.map(({ id }) => id))
  checkUnique(endpoints.map(({ method, path }) => `${method} ${path}`))
  const patterns = [...new Set(endpoints.map(({ path }) => path))]
  return patterns.map((text) => {
    const described = endpoints.filter(({ path }) => path === text) as [
      Endpoint<W>,
      ...Endpoint<W>[],
    ]
    return {
      pattern: parsePathPattern(text, patterns),
      endpoints: described,
      allEndpoints: [...described, ...undocumentedEndpoints(described)],
    }
  })
}

/**
 * Resolves the endpoint of a path that answers a method under these policies. HEAD resolves to the endpoint of GET.
 *
 * @returns null if the policies allow no endpoint here
 * @example resolveRoute(pathItem, 'GET', path.match('/api/projects/1/'), settings)?.params // { project_id: '1' }
 */
export function resolveRoute<W>(
  pathItem: PathItem<W>,
  method: string,
  { params, suffix }: PathMatch,
  settings: PolicySettings,
): ResolvedRoute<W> | null {
  const endpoint = pathItem.allEndpoints.find(
    (each) => servesMethod(each, method) && isEndpointEnabled(each, settings),
  )
  if (!endpoint) return null
  if (suffix === undefined) return { endpoint, pathItem, params }
  if (settings['paths.format'] === 'off') return null
  return { endpoint, pathItem, params: { ...params, format: suffix } }
}

/** Whether an endpoint can serve a method. `*` stands last in a path, so it gets only what the others leave. */
export function servesMethod({ method }: Endpoint<never>, requested: string): boolean {
  return method === requested || method === '*' || (method === 'GET' && requested === 'HEAD')
}

function checkUnique(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) {
    throw new Error(`Failed to describe the endpoints: expected each once, got "${twice}" twice.`)
  }
}
