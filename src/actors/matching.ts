import type { World } from '../beginning.ts'
import { endpoints, families } from '../endpoints.ts'
import { fitsPath } from '../faults/paths.ts'
import { keyOf } from '../http/access.ts'
import type { Call } from '../http/call.ts'
import { isEnabled } from '../http/methods.ts'
import type { Route } from '../http/route.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { nearest } from '../usage-error.ts'
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
  const reason =
    aboutOperation(operation, settings) ?? aboutPath(path) ?? aboutKey(key, [...keys.values()])
  return reason && `It can never write: ${reason}`
}

function aboutOperation(operation: string | undefined, settings: PolicySettings): string | null {
  if (operation === undefined) return null
  const endpoint = families.flatMap(({ all }) => all).find(({ id }) => id === operation)
  if (endpoint && isEnabled(endpoint, settings)) return null
  if (endpoint) return `the policies switch ${operation} off.`
  const ids = endpoints.map(({ id }) => id)
  return `there is no operation ${operation}.${hint(operation, ids)}`
}

function aboutPath(path: string | undefined): string | null {
  const paths = families.map(({ pattern }) => pattern.text)
  if (path === undefined || paths.some((text) => fitsPath(path, text, () => undefined))) return null
  return `no endpoint has the path ${path}.${hint(path, paths)}`
}

function aboutKey(
  key: string | undefined,
  keys: readonly { readonly value: string; readonly label: string | null }[],
): string | null {
  if (key === undefined || keys.some(({ value, label }) => value === key || label === key))
    return null
  const labels = keys.flatMap(({ label }) => (label === null ? [] : [label]))
  return `no key has this value or label.${hint(key, labels)}`
}

function hint(word: string, allowed: readonly string[]): string {
  const meant = nearest(word, allowed)
  return meant === undefined ? '' : ` Did you mean ${meant}?`
}
