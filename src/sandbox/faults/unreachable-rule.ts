import { pathItems } from '../../api/endpoints.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import type { Tables } from '../../world/table/tables.ts'
import {
  keyIssue,
  matchesPath,
  operationIssue,
  pathIssue,
  toMethodList,
} from '../request-pattern.ts'
import { isReadMethod } from './active-rule.ts'
import type { FaultRule } from './rule.ts'

/** What the answer to "can it ever apply?" depends on. */
interface RuleConditions {
  readonly settings: PolicySettings
  readonly tables: Pick<Tables, 'keys'>
}

/** Why a rule can never apply as things are; null where it can. */
export function unreachableRuleReason(
  rule: FaultRule,
  { settings, tables }: RuleConditions,
): string | null {
  const { operation, path, key } = rule
  return (
    neverApplies(operationIssue(operation, settings)) ??
    staleWriteReason(rule) ??
    neverApplies(pathIssue(path)) ??
    methodOfPathReason(rule) ??
    neverApplies(keyIssue(key, tables.keys)) ??
    whenReason(rule) ??
    methodReason(rule)
  )
}

function staleWriteReason({ operation, effect }: FaultRule): string | null {
  const endpoint = pathItems
    .flatMap(({ allEndpoints }) => allEndpoints)
    .find(({ id }) => id === operation)
  if (!endpoint || !effect.stale || isReadMethod(endpoint.method)) return null
  return neverApplies(`${operation} is no read, and only reads can be stale.`)
}

function methodOfPathReason({ path, method }: FaultRule): string | null {
  if (path === undefined || method === undefined) return null
  const fitting = pathItems.filter(({ pattern }) =>
    matchesPath(path, pattern.text, () => undefined),
  )
  const has = fitting.flatMap(({ endpoints }) =>
    endpoints.map((sibling) => sibling.method as string),
  )
  const known = [...has, 'OPTIONS', ...(has.includes('GET') ? ['HEAD'] : [])]
  if (toMethodList(method).some((one) => known.includes(one))) return null
  return `It only matches requests that are refused: the methods of ${path} are ${has.join(', ')}.`
}

function whenReason({ when }: FaultRule): string | null {
  if (when?.times === 0) return neverApplies('when.times is 0.')
  return when?.probability === 0 ? neverApplies('when.probability is 0.') : null
}

function methodReason({ method, phase, effect }: FaultRule): string | null {
  const methods = method === undefined ? [] : toMethodList(method)
  if (methods.length === 0) return null
  if (effect.stale && !methods.some(isReadMethod)) return neverApplies('only reads can be stale.')
  if (phase !== 'mid-body' || methods.some((one) => one !== 'HEAD')) return null
  return neverApplies('answers to HEAD have no body.')
}

function neverApplies(reason: string | null): string | null {
  return reason && `It can never apply: ${reason}`
}
