import { keyIssue, operationIssue, pathIssue } from '../faults/no-match.ts'
import type { PolicySettings } from '../policies/policies.ts'
import type { Tables } from '../world/tables.ts'
import type { ActorTrigger } from './request.ts'

/** Why no request can be one that a moment counts, as things are; null where one can. */
export function unreachableActorReason(
  { operation, path, key }: ActorTrigger,
  { keys }: Tables,
  settings: PolicySettings,
): string | null {
  const reason = operationIssue(operation, settings) ?? pathIssue(path) ?? keyIssue(key, keys)
  return reason && `It can never write: ${reason}`
}
