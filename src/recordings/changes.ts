import { parseFaultRequest } from '../faults/request.ts'
import type { FaultEffect, FaultPhase } from '../faults/rule.ts'
import type { RenderedEntry } from '../journal/renderer.ts'
import type { PolicySettings } from '../policies/policies.ts'
import {
  type PolicyOverrides,
  type Profile,
  profiles,
  resolvePolicies,
} from '../policies/settings.ts'
import type { ChangeStep } from '../scenarios/scenario.ts'
import { UsageError } from '../usage-error.ts'

/** The policies that a request was answered by, and the one before it was not; null where they are the same. */
export function toPolicyStep(before: PolicySettings, after: PolicySettings): ChangeStep | null {
  const policies = diffPolicies(before, after)
  return Object.keys(policies).length > 0 ? { policies } : null
}

/** The fault that struck a request; null where none did, or a stale read, which begins earlier. What no step can say is told in a sentence. */
export function toFaultStep({
  entry,
}: RenderedEntry): ChangeStep | { readonly warning: string } | null {
  if (entry.fault === null || (entry.fault.effect as FaultEffect).stale !== undefined) return null
  const fault = {
    when: { times: 1 },
    phase: entry.fault.phase as FaultPhase,
    effect: entry.fault.effect as FaultEffect,
  }
  try {
    parseFaultRequest(fault)
    return { fault }
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return { warning: `Entry ${entry.id} met a fault that no step can say: ${error.message}` }
  }
}

/** A full set of policies as the profile that is nearest to it, and what differs. */
export function nearestProfile(settings: PolicySettings): {
  profile: Profile
  policies?: PolicyOverrides
} {
  const ways = profiles.map((profile) => ({
    profile,
    policies: diffPolicies(resolvePolicies(profile), settings),
  }))
  const count = (policies: PolicyOverrides): number => Object.keys(policies).length
  const [nearest] = ways.sort((a, b) => count(a.policies) - count(b.policies))
  const { profile, policies } = nearest as (typeof ways)[number]
  return { profile, ...(count(policies) > 0 && { policies }) }
}

/** The policies that are set otherwise. */
function diffPolicies(before: PolicySettings, after: PolicySettings): PolicyOverrides {
  if (before === after) return {}
  const old: Readonly<Record<string, unknown>> = before
  return Object.fromEntries(Object.entries(after).filter(([id, value]) => old[id] !== value))
}
