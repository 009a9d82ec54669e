import type { World } from '../beginning.ts'
import { noSuchKey, noSuchOperation, noSuchPath } from '../faults/no-match.ts'
import { fitsPath } from '../faults/paths.ts'
import { keyOf } from '../http/access.ts'
import type { Call } from '../http/call.ts'
import type { Route } from '../http/route.ts'
import type { PolicySettings } from '../policies/policies.ts'
import type { Tables } from '../world/tables.ts'
import type { Moment } from './request.ts'

/** A request that has been carried out. */
export interface Asked {
  readonly route: Route<World>
  readonly params: Readonly<Record<string, string>>
  readonly call: Call
}

/** Whether a request is one that a moment counts. */
export function isCounted(
  { operation, method, path, key }: Moment,
  { route, params, call }: Asked,
  keys: Tables['keys'],
): boolean {
  if (operation !== undefined && operation !== route.endpoint.id) return false
  if (method !== undefined && ![method].flat().includes(call.method)) return false
  if (path !== undefined && !fitsPath(path, route.endpoint.path, (name) => params[name]))
    return false
  if (key === undefined) return true
  const value = keyOf(call)
  return value !== null && (value === key || keys.get(value)?.label === key)
}

/** Why no request can be one that a moment counts, as things are; null where one can. */
export function warningOf(
  { operation, path, key }: Moment,
  { keys }: Tables,
  settings: PolicySettings,
): string | null {
  const reason = noSuchOperation(operation, settings) ?? noSuchPath(path) ?? noSuchKey(key, keys)
  return reason && `It can never write: ${reason}`
}
