import type { PolicySettings } from '../policies/policies.ts'
import type { Endpoint } from './endpoint.ts'
import { isEnabled, type Siblings, undocumented } from './methods.ts'
import { type Path, toPath } from './path.ts'

/** An endpoint in its place: with its compiled path, and the endpoints that share it. */
export interface Route<W> {
  readonly endpoint: Endpoint<W>
  readonly path: Path
  /** The described endpoints of the path. */
  readonly siblings: Siblings<W>
  /** All endpoints of the path: those, OPTIONS, and what answers to methods it does not have. */
  readonly family: readonly Endpoint<W>[]
}

/**
 * Every endpoint as a route, and for each path OPTIONS and the methods it does not have. At most one route
 * matches a request: their order carries no meaning.
 *
 * @param base where the paths begin: an origin, a path, both, or `*` for any origin
 * @throws Error when two endpoints share id, or method and path
 */
export function toRoutes<W>(endpoints: readonly Endpoint<W>[], base: string): Route<W>[] {
  checkUnique(endpoints.map(({ id }) => id))
  checkUnique(endpoints.map(({ method, path }) => `${method} ${path}`))
  const patterns = [...new Set(endpoints.map(({ path }) => path))]
  return patterns.flatMap((pattern) => {
    const path = toPath(pattern, base, patterns)
    const siblings = endpoints.filter(
      (endpoint) => endpoint.path === pattern,
    ) as unknown as Siblings<W>
    const family = [...siblings, ...undocumented(siblings)]
    return family.map((endpoint) => ({ endpoint, path, siblings, family }))
  })
}

/**
 * The path parameters of a request that a route answers; null for any other request.
 *
 * @example matchRoute(route, 'GET', 'http://localhost/api/projects/1/annotations/', settings) // { project_id: '1' }
 */
export function matchRoute(
  { endpoint, path, family }: Route<never>,
  method: string,
  url: string,
  settings: PolicySettings,
): Readonly<Record<string, string>> | null {
  const isRest = endpoint.method === '*'
  if (!isRest && !answersTo(endpoint, method, settings)) return null
  const found = path.match(url)
  if (found === null) return null
  if (isRest && family.some((other) => answersTo(other, method, settings))) return null
  if (found.suffix === undefined) return found.params
  return settings['paths.format'] === 'off' ? null : { ...found.params, format: found.suffix }
}

/** HEAD goes where GET goes. Where a policy switches an endpoint on, another makes way for it. */
function answersTo(endpoint: Endpoint<never>, method: string, settings: PolicySettings): boolean {
  const isMeant = endpoint.method === method || (endpoint.method === 'GET' && method === 'HEAD')
  return isMeant && isEnabled(endpoint, settings)
}

function checkUnique(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) {
    throw new Error(`Failed to describe the endpoints: expected each once, got "${twice}" twice.`)
  }
}
