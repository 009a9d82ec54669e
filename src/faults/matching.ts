import type { World } from '../endpoints.ts'
import { findApiKey } from '../http/access.ts'
import { tryParseBody } from '../http/body.ts'
import type { ApiRequest } from '../http/call.ts'
import type { EndpointRoute } from '../http/route.ts'
import type { Sandbox } from '../sandbox.ts'
import { matchesPath } from './paths.ts'

/** A request, and the endpoint that it is for. */
export interface RoutedRequest {
  readonly route: EndpointRoute<World>
  readonly params: Readonly<Record<string, string>>
  readonly call: ApiRequest
}

/** Which requests a rule is about, or a second actor counts: those of which all holds that is given. */
export interface RequestPattern {
  readonly operation?: string
  readonly method?: string | readonly string[]
  readonly path?: string
  /** The value or the label of a key. */
  readonly key?: string
}

/** Whether a request is one of those. */
export function matchesRequest(
  { operation, method, path, key }: RequestPattern,
  { route, params, call }: RoutedRequest,
  { tables, noted }: Pick<Sandbox, 'tables' | 'noted'>,
): boolean {
  if (operation !== undefined && operation !== route.endpoint.id) return false
  if (method !== undefined && !toMethodList(method).includes(call.method)) return false
  if (path !== undefined && !matchesPath(path, route.endpoint.path, (name) => params[name]))
    return false
  if (key === undefined) return true
  // By the policies as they are: what a rule asks is not what the answer comes from.
  const { untracked } = noted
  const value = findApiKey(call, untracked, () => tryParseBody(call, untracked))?.value
  return value !== undefined && (value === key || tables.keys.get(value)?.label === key)
}

/** Methods, of which one may stand alone. */
export function toMethodList(method: string | readonly string[]): readonly string[] {
  return typeof method === 'string' ? [method] : method
}
