import type { PolicySettings } from '../policies/policies.ts'
import type { Endpoint } from './endpoint.ts'
import { isEnabled, undocumented } from './methods.ts'
import { bySpecificity, type Path, toPath } from './path.ts'

/** An endpoint in its place: with its compiled path, and the documented endpoints that share it. */
export interface Route<W> {
  readonly endpoint: Endpoint<W>
  readonly path: Path
  readonly siblings: readonly [Endpoint<W>, ...Endpoint<W>[]]
}

/**
 * Every endpoint as a route, and for each path OPTIONS and the methods it does not have, in an order in
 * which the first match is the right one.
 *
 * @param base where the paths begin: an origin, a path, both, or `*` for any origin
 * @throws Error when two endpoints share id, or method and path
 */
export function toRoutes<W>(endpoints: readonly Endpoint<W>[], base: string): Route<W>[] {
  checkUnique(endpoints.map(({ id }) => id))
  checkUnique(endpoints.map(({ method, path }) => `${method} ${path}`))
  const patterns = [...new Set(endpoints.map(({ path }) => path))]
  return patterns
    .map((pattern) => ({
      path: toPath(pattern, base),
      siblings: endpoints.filter(({ path }) => path === pattern) as [Endpoint<W>, ...Endpoint<W>[]],
    }))
    .sort((a, b) => bySpecificity(a.path, b.path))
    .flatMap(({ path, siblings }) =>
      [...siblings, ...undocumented(siblings)].map((endpoint) => ({
        endpoint,
        path,
        siblings,
      })),
    )
}

/**
 * The path parameters of a request that a route answers; null for any other request.
 *
 * @example matchRoute(route, 'GET', 'http://localhost/api/projects/1/annotations/', settings) // { project_id: '1' }
 */
export function matchRoute(
  route: Route<never>,
  method: string,
  url: string,
  settings: PolicySettings,
): Readonly<Record<string, string>> | null {
  const { endpoint, path } = route
  const answers = endpoint.method
  if (answers !== method && answers !== '*' && !(answers === 'GET' && method === 'HEAD'))
    return null
  const found = path.match(url)
  if (found === null || !isEnabled(endpoint, settings)) return null
  if (found.suffix !== undefined && settings['paths.format'] === 'off') return null
  return found.suffix === undefined ? found.params : { ...found.params, format: found.suffix }
}

function checkUnique(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) {
    throw new Error(`Failed to describe the endpoints: expected each once, got "${twice}" twice.`)
  }
}
