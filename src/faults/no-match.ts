import { families } from '../endpoints.ts'
import { isEnabled } from '../http/methods.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { nearest } from '../usage-error.ts'
import type { Tables } from '../world/tables.ts'
import { fitsPath } from './paths.ts'

// Why no request can be one that is named so, as things are: of fault rules and of actors. Null where one can.

/** By an operation id. */
export function noSuchOperation(
  operation: string | undefined,
  settings: PolicySettings,
): string | null {
  if (operation === undefined) return null
  const endpoint = families.flatMap(({ all }) => all).find(({ id }) => id === operation)
  if (endpoint && isEnabled(endpoint, settings)) return null
  if (endpoint) return `the policies switch ${operation} off.`
  const described = families.flatMap(({ siblings }) => siblings.map(({ id }) => id))
  return `there is no operation ${operation}.${hint(operation, described)}`
}

/** By a path, in which segments may stand for any. */
export function noSuchPath(path: string | undefined): string | null {
  const paths = families.map(({ pattern }) => pattern.text)
  if (path === undefined || paths.some((text) => fitsPath(path, text, () => undefined))) return null
  return `no endpoint has the path ${path}.${hint(path, paths)}`
}

/** By the value or the label of a key. */
export function noSuchKey(key: string | undefined, keys: Tables['keys']): string | null {
  if (key === undefined || keys.get(key) !== undefined) return null
  const labels = [...keys.values()].flatMap(({ label }) => (label === null ? [] : [label]))
  if (labels.includes(key)) return null
  return `no key has this value or label.${hint(key, labels)}`
}

function hint(word: string, allowed: readonly string[]): string {
  const meant = nearest(word, allowed)
  return meant === undefined ? '' : ` Did you mean ${meant}?`
}
