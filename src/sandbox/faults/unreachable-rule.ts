import { pathItems } from '../../api/endpoints.ts'
import { findEndpoint, matchesPath, unmatchableReason } from '../request-pattern.ts'
import type { Sandbox } from '../sandbox.ts'
import { isReadMethod } from './active-rule.ts'
import type { FaultRule } from './rule.ts'

/** Explains why a rule can never apply in a sandbox as it is now. Returns null if it can. */
export function unreachableRuleReason(
  rule: FaultRule,
  sandbox: Pick<Sandbox, 'tables' | 'policyTracker'>,
): string | null {
  return (
    neverApplies(unmatchableReason(rule, sandbox)) ??
    staleWriteReason(rule) ??
    unknownMethodReason(rule) ??
    whenReason(rule) ??
    methodReason(rule)
  )
}

function staleWriteReason({ operation, effect }: FaultRule): string | null {
  const endpoint = findEndpoint(operation)
  if (!endpoint || !effect.stale || isReadMethod(endpoint.method)) return null
  return neverApplies(`${operation} is not a read, and only reads can be stale.`)
}

function unknownMethodReason({ path, method }: FaultRule): string | null {
  if (path === undefined || method === undefined) return null
  const methods: string[] = pathItems
    .filter(({ pattern }) => matchesPath(path, pattern.text, () => undefined))
    .flatMap(({ endpoints }) => endpoints.map((endpoint) => endpoint.method))
  const known = [...methods, 'OPTIONS', ...(methods.includes('GET') ? ['HEAD'] : [])]
  if ([method].flat().some((one) => known.includes(one))) return null
  return `It only matches requests that are rejected: the methods of ${path} are ${methods.join(', ')}.`
}

function whenReason({ when }: FaultRule): string | null {
  if (when?.times === 0) return neverApplies('when.times is 0.')
  return when?.probability === 0 ? neverApplies('when.probability is 0.') : null
}

function methodReason({ method, phase, effect }: FaultRule): string | null {
  if (method === undefined) return null
  const methods = [method].flat()
  if (effect.stale && !methods.some(isReadMethod)) return neverApplies('only reads can be stale.')
  if (phase !== 'mid-body' || methods.some((one) => one !== 'HEAD')) return null
  return neverApplies('responses to HEAD have no body.')
}

function neverApplies(reason: string | null): string | null {
  return reason && `It can never apply: ${reason}`
}
