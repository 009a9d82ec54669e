import type { World } from '../beginning.ts'
import { keyOf } from '../http/access.ts'
import { bodyValue } from '../http/body.ts'
import type { Call } from '../http/call.ts'
import type { Route } from '../http/route.ts'
import type { WorldSandbox } from '../sandbox.ts'
import { fitsPath } from './paths.ts'

/** A request, and the endpoint that it is for. */
export interface Asked {
  readonly route: Route<World>
  readonly params: Readonly<Record<string, string>>
  readonly call: Call
}

/** Which requests a rule is about, or a second actor counts: those of which all holds that is given. */
export interface AskedFor {
  readonly operation?: string
  readonly method?: string | readonly string[]
  readonly path?: string
  /** The value or the label of a key. */
  readonly key?: string
}

/** Whether a request is one of those. */
export function isAskedFor(
  { operation, method, path, key }: AskedFor,
  { route, params, call }: Asked,
  { tables, noted }: Pick<WorldSandbox, 'tables' | 'noted'>,
): boolean {
  if (operation !== undefined && operation !== route.endpoint.id) return false
  if (method !== undefined && !methodsOf(method).includes(call.method)) return false
  if (path !== undefined && !fitsPath(path, route.endpoint.path, (name) => params[name]))
    return false
  if (key === undefined) return true
  // By the policies as they are: what a rule asks is not what the answer comes from.
  const { plain } = noted
  const value = keyOf(call, plain, () => bodyValue(call, plain))?.value
  return value !== undefined && (value === key || tables.keys.get(value)?.label === key)
}

/** Methods, of which one may stand alone. */
export function methodsOf(method: string | readonly string[]): readonly string[] {
  return typeof method === 'string' ? [method] : method
}
