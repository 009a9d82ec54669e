import type { PolicySettings } from '../policies/policies.ts'
import type { Base } from './base.ts'
import type { Endpoint } from './endpoint.ts'
import { isEnabled, type Siblings, undocumented } from './methods.ts'
import { type Path, type PathMatch, type Pattern, toPath, toPattern } from './path.ts'

/** The endpoints of one path. */
export interface Family<W> {
  readonly pattern: Pattern
  /** The described ones. */
  readonly siblings: Siblings<W>
  /** Those, OPTIONS, and what answers to methods the path does not have. */
  readonly all: readonly Endpoint<W>[]
}

/** An endpoint in its place. */
export interface Route<W> {
  readonly endpoint: Endpoint<W>
  readonly path: Path
  readonly family: Family<W>
}

/**
 * Endpoints by their path, and for each path OPTIONS and the methods it does not have.
 *
 * @throws Error when two endpoints share id, or method and path
 */
export function toFamilies<W>(endpoints: readonly Endpoint<W>[]): Family<W>[] {
  checkUnique(endpoints.map(({ id }) => id))
  checkUnique(endpoints.map(({ method, path }) => `${method} ${path}`))
  const patterns = [...new Set(endpoints.map(({ path }) => path))]
  return patterns.map((text) => {
    const siblings = endpoints.filter(({ path }) => path === text) as [
      Endpoint<W>,
      ...Endpoint<W>[],
    ]
    const all = [...siblings, ...undocumented(siblings)]
    return { pattern: toPattern(text, patterns), siblings, all }
  })
}

/**
 * Every endpoint as a route. At most one route matches a request: their order carries no meaning.
 */
export function toRoutes<W>(families: readonly Family<W>[], base: Base): Route<W>[] {
  return families.flatMap((family) => {
    const path = toPath(family.pattern, base)
    return family.all.map((endpoint) => ({ endpoint, path, family }))
  })
}

/** Whether a route may answer a method, whatever the policies say: HEAD goes where GET goes. */
export function isFor({ method }: Endpoint<never>, asked: string): boolean {
  return method === asked || method === '*' || (method === 'GET' && asked === 'HEAD')
}

/**
 * The path parameters of a request that a route answers; null for any other request.
 *
 * @param found what the path of the route found in the address
 * @example paramsOf(route, 'GET', found, settings) // { project_id: '1' }
 */
export function paramsOf(
  { endpoint, family }: Route<never>,
  method: string,
  found: PathMatch,
  settings: PolicySettings,
): Readonly<Record<string, string>> | null {
  if (endpoint.method !== '*') {
    if (!isFor(endpoint, method) || !isEnabled(endpoint, settings)) return null
  } else if (family.all.some((other) => answersTo(other, method, settings))) return null
  if (found.suffix === undefined) return found.params
  return settings['paths.format'] === 'off' ? null : { ...found.params, format: found.suffix }
}

/** A route, and the parameters that it finds in the path of a request. */
export interface Led<W> {
  readonly route: Route<W>
  readonly params: Readonly<Record<string, string>>
}

/** The route of the same path by which a request is answered under some policies; null where they have none. */
export function ledBy<W>(
  settings: PolicySettings,
  { family, path }: Route<W>,
  method: string,
  found: PathMatch,
): Led<W> | null {
  for (const endpoint of family.all) {
    const route = { endpoint, family, path }
    const params = paramsOf(route, method, found, settings)
    if (params) return { route, params }
  }
  return null
}

/** Where a policy switches an endpoint on, the one for the rest makes way for it. */
function answersTo(endpoint: Endpoint<never>, method: string, settings: PolicySettings): boolean {
  return endpoint.method !== '*' && isFor(endpoint, method) && isEnabled(endpoint, settings)
}

function checkUnique(names: readonly string[]): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) {
    throw new Error(`Failed to describe the endpoints: expected each once, got "${twice}" twice.`)
  }
}
