import { pathItems } from '../endpoints.ts'
import { isEndpointEnabled } from '../http/methods.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { didYouMean } from '../usage-error.ts'
import type { Tables } from '../world/tables.ts'
import { matchesPath } from './paths.ts'

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
