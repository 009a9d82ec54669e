import { pathItems } from '../api/endpoints.ts'
import { findApiKey } from '../http/authenticate.ts'
import { tryParseBody } from '../http/body.ts'
import { isEndpointEnabled } from '../http/methods.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { didYouMean } from '../utils/usage-error.ts'
import type { Tables } from '../world/table/tables.ts'
import type { RoutedRequest } from './hooks.ts'

/** Which requests a rule is about, or a second actor counts: those of which all holds that is given. */
export interface RequestPattern {
  readonly operation?: string
  readonly method?: string | readonly string[]
  readonly path?: string
  /** The value or the label of a key. */
  readonly key?: string
}

/** What matching reads of a sandbox. */
interface MatchingSandbox {
  readonly tables: Pick<Tables, 'keys'>
  readonly policyTracker: { readonly untracked: PolicySettings }
}

/** Whether a request is one of those. */
export function matchesRequest(
  { operation, method, path, key }: RequestPattern,
  { route, request }: RoutedRequest,
  { tables, policyTracker }: MatchingSandbox,
): boolean {
  if (operation !== undefined && operation !== route.endpoint.id) return false
  if (method !== undefined && !toMethodList(method).includes(request.method)) return false
  if (path !== undefined && !matchesPath(path, route.endpoint.path, (name) => route.params[name]))
    return false
  if (key === undefined) return true
  // By the policies as they are: what a rule asks is not what the answer comes from.
  const { untracked } = policyTracker
  const value = findApiKey(request, untracked, () => tryParseBody(request, untracked))?.value
  return value !== undefined && (value === key || tables.keys.get(value)?.label === key)
}

/** Methods, of which one may stand alone. */
export function toMethodList(method: string | readonly string[]): readonly string[] {
  return typeof method === 'string' ? [method] : method
}

/**
 * Whether the path of a rule is the path of an endpoint.
 *
 * @param pattern of the endpoint, such as `/api/projects/:project_id`
 * @param valueAt the value that a parameter has in a request; undefined where any will do
 */
export function matchesPath(
  path: string,
  pattern: string,
  valueAt: (name: string) => string | undefined,
): boolean {
  const [asked, described] = [splitPath(path), splitPath(pattern)]
  return (
    asked.length === described.length &&
    described.every((segment, index) => matchesSegment(asked[index] as string, segment, valueAt))
  )
}

function matchesSegment(
  asked: string,
  described: string,
  valueAt: (name: string) => string | undefined,
): boolean {
  if (asked === '*') return true
  if (!described.startsWith(':')) return asked === described
  return /^(:|\{)/.test(asked) || [asked, undefined].includes(valueAt(described.slice(1)))
}

function splitPath(path: string): string[] {
  return path.replace(/\/$/, '').split('/')
}

// Why no request can be one that is named so, as things are: of fault rules and of actors. Null where one can.

/** By an operation id. */
export function operationIssue(
  operation: string | undefined,
  settings: PolicySettings,
): string | null {
  if (operation === undefined) return null
  const endpoint = pathItems
    .flatMap(({ allEndpoints }) => allEndpoints)
    .find(({ id }) => id === operation)
  if (endpoint && isEndpointEnabled(endpoint, settings)) return null
  if (endpoint) return `the policies switch ${operation} off.`
  const described = pathItems.flatMap(({ endpoints }) => endpoints.map(({ id }) => id))
  return `there is no operation ${operation}.${suggestion(operation, described)}`
}

/** By a path, in which segments may stand for any. */
export function pathIssue(path: string | undefined): string | null {
  const paths = pathItems.map(({ pattern }) => pattern.text)
  if (path === undefined || paths.some((text) => matchesPath(path, text, () => undefined)))
    return null
  return `no endpoint has the path ${path}.${suggestion(path, paths)}`
}

/** By the value or the label of a key. */
export function keyIssue(key: string | undefined, keys: Tables['keys']): string | null {
  if (key === undefined || keys.get(key) !== undefined) return null
  const labels = [...keys.values()].flatMap(({ label }) => (label === null ? [] : [label]))
  if (labels.includes(key)) return null
  return `no key has this value or label.${suggestion(key, labels)}`
}

function suggestion(word: string, allowed: readonly string[]): string {
  const meant = didYouMean(word, allowed)
  return meant === undefined ? '' : ` Did you mean ${meant}?`
}
