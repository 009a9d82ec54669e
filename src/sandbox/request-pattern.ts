import * as z from 'zod'
import { pathItems, type World } from '../api/endpoints.ts'
import { findApiKey } from '../http/authorize.ts'
import { tryParseBody } from '../http/body.ts'
import type { Endpoint } from '../http/endpoint.ts'
import { isEndpointEnabled } from '../http/route.ts'
import type { PathParams } from '../http/url.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { inspectValue, suggestWord } from '../utils/usage-error.ts'
import type { Tables } from '../world/table/tables.ts'
import type { RoutedRequest } from './hooks.ts'
import type { Sandbox } from './sandbox.ts'

/** The requests that a fault rule or a second actor matches. A request must match all fields that are set. */
export interface RequestPattern {
  /** An operation id, such as `listAnnotations`. */
  readonly operation?: string
  /** Upper case: one method, or several. */
  readonly method?: string | readonly string[]
  /** A path below the base URL, such as `/api/projects/1/annotations`. `:name` and `*` match any segment. */
  readonly path?: string
  /** The value or the label of a key. */
  readonly key?: string
}

const methodSchema = z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** The fields of a pattern, for the schemas of fault rules and second actors. */
export const requestPatternFields: Readonly<Record<keyof RequestPattern, z.ZodOptional>> = {
  operation: z.string().optional(),
  method: z
    .union([methodSchema, z.array(methodSchema).min(1)], {
      error: `expected ${methodSchema.options.join(', ')}`,
    })
    .optional(),
  path: z
    .string()
    .regex(/^\/[^?#]*$/, { error: 'expected a path that starts with a slash, without a query' })
    .optional(),
  key: z.string().optional(),
}

/** Whether a request matches a pattern. */
export function matchesRequest(
  { operation, method, path, key }: RequestPattern,
  { route, request }: RoutedRequest,
  { tables, policyTracker }: Sandbox,
): boolean {
  if (operation !== undefined && operation !== route.endpoint.id) return false
  if (method !== undefined && ![method].flat().includes(request.method)) return false
  if (path !== undefined && !matchesPath(path, route.endpoint.path, route.params)) return false
  if (key === undefined) return true
  // Untracked, since the response does not depend on what a pattern reads.
  const { untracked } = policyTracker
  const value = findApiKey(request, untracked, () => tryParseBody(request, untracked))?.value
  return value !== undefined && (value === key || tables.keys.get(value)?.label === key)
}

/**
 * Whether the path of a pattern matches the path of an endpoint. Its segments are literals, `*`, `:name` or `{name}`.
 *
 * @param endpointPath such as `/api/projects/:project_id`
 * @param params the values of its parameters. Without a value, any literal matches
 */
export function matchesPath(path: string, endpointPath: string, params: PathParams = {}): boolean {
  const [segments, endpointSegments] = [splitPath(path), splitPath(endpointPath)]
  return (
    segments.length === endpointSegments.length &&
    endpointSegments.every((endpointSegment, index) => {
      const segment = segments[index] as string
      if (!endpointSegment.startsWith(':')) return segment === '*' || segment === endpointSegment
      const value = params[endpointSegment.slice(1)]
      return /^([:{]|\*$)/.test(segment) || value === undefined || value === segment
    })
  )
}

function splitPath(path: string): string[] {
  return path.replace(/\/$/, '').split('/')
}

/** Explains why no request can match the operation, the path or the key of a pattern. Returns null if one can. */
export function unmatchableReason(
  { operation, path, key }: RequestPattern,
  { tables, policyTracker }: Sandbox,
): string | null {
  return (
    operationIssue(operation, policyTracker.untracked) ??
    pathIssue(path) ??
    keyIssue(key, tables.keys)
  )
}

/** Finds an endpoint by the id of its operation. */
export function findEndpoint(operation: string | undefined): Endpoint<World> | undefined {
  return pathItems.flatMap(({ allEndpoints }) => allEndpoints).find(({ id }) => id === operation)
}

function operationIssue(operation: string | undefined, settings: PolicySettings): string | null {
  if (operation === undefined) return null
  const endpoint = findEndpoint(operation)
  if (endpoint && isEndpointEnabled(endpoint, settings)) return null
  if (endpoint) return `the current policies disable ${operation}.`
  const known = pathItems.flatMap(({ endpoints }) => endpoints.map(({ id }) => id))
  return `there is no operation ${inspectValue(operation)}.${suggestWord(operation, known)}`
}

function pathIssue(path: string | undefined): string | null {
  const paths = pathItems.map(({ pattern }) => pattern.text)
  if (path === undefined || paths.some((text) => matchesPath(path, text))) return null
  return `no endpoint has the path ${path}.${suggestWord(path, paths)}`
}

function keyIssue(key: string | undefined, keys: Tables['keys']): string | null {
  if (key === undefined || keys.get(key)) return null
  const labels = [...keys.values()].map(({ label }) => label)
  if (labels.includes(key)) return null
  return `no key has this value or label.${suggestWord(key, labels)}`
}
