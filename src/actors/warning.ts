import { noSuchKey, noSuchOperation, noSuchPath } from '../faults/no-match.ts'
import type { PolicySettings } from '../policies/policies.ts'
import type { Tables } from '../world/tables.ts'
import type { Moment } from './request.ts'

/** Why no request can be one that a moment counts, as things are; null where one can. */
export function warningOf(
  { operation, path, key }: Moment,
  { keys }: Tables,
  settings: PolicySettings,
): string | null {
  const reason = noSuchOperation(operation, settings) ?? noSuchPath(path) ?? noSuchKey(key, keys)
  return reason && `It can never write: ${reason}`
}
