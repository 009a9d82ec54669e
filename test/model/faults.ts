import type { World } from './model.ts'
import { type ApiRequest, type ApiResponse, dropped } from './request.ts'
import { keyValue } from './rules/access.ts'
import { refuse } from './rules/answer.ts'
import { reply, serverError, throttled } from './rules/answers.ts'
import { operationOf, type Route } from './rules/routes.ts'

/** A fault: which requests it applies to, and what it does. The names are those of the simulator. */
export interface Fault {
  readonly operation?: string
  readonly method?: string
  /** A key of pathPatterns. */
  readonly path?: string
  /** The label of a key. */
  readonly key?: string
  readonly when: { readonly skip?: number; readonly every?: number; readonly times?: number }
  readonly phase: 'before' | 'after-commit'
  readonly effect:
    | { readonly error: 'throttled' | 'server_error' }
    | { readonly status: number; readonly body: { readonly told: string } }
    | { readonly drop: true }
}

/** Paths that a fault can name, with the paths that they match. A literal has to be as in the request. */
export const pathPatterns: Readonly<Record<string, (route: Route) => boolean>> = {
  '/api/projects/1/annotations': ({ path, parentId }) =>
    path.endsWith('/annotations') && parentId === '1',
  '/api/projects/:project_id/annotations/:id': ({ path }) => path.endsWith('/annotations/:id'),
  '/api/organizations/{organization_id}/plugins/:id/': ({ path }) => path.endsWith('/plugins/:id'),
  '/api/organizations/*/plugins/*': ({ path }) => /\/plugins\/[^/]+$/.test(path),
}

/** Every rule that matches counts the request. The latest of those whose turn it is applies. */
export function applicableFault(
  world: World,
  route: Route,
  request: ApiRequest,
  live: boolean,
): Fault | null {
  const due = world.faults.filter((fault) => {
    if (!matches(fault.rule, world, route, request, live)) return false
    fault.matched += 1
    const { skip = 0, every = 1, times = Number.POSITIVE_INFINITY } = fault.rule.when
    const count = fault.matched - skip
    return count > 0 && count % every === 0 && fault.applied < times
  })
  if (!due[0]) return null
  due[0].applied += 1
  return due[0].rule
}

function matches(
  rule: Fault,
  { rows }: World,
  route: Route,
  request: ApiRequest,
  live: boolean,
): boolean {
  const { operation, method, path, key } = rule
  const value = keyValue(request, live)
  const label = rows.keys.find((key) => key.value === value)?.label
  return (
    (operation === undefined || operation === operationOf(route, request.method, live)) &&
    (method === undefined || method === request.method) &&
    (key === undefined || key === label) &&
    (path === undefined || pathPatterns[path]?.(route) === true)
  )
}

export function faulty({ effect }: Fault, request: ApiRequest, live: boolean): ApiResponse {
  if ('drop' in effect) return dropped
  if ('error' in effect) return refuse(request, errors[effect.error](), live)
  return reply(effect.status, request.method === 'HEAD' ? undefined : effect.body)
}

const errors = { throttled, server_error: serverError }
