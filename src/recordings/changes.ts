import { rulesOf } from '../faults/request.ts'
import type { FaultEffect, FaultPhase } from '../faults/rule.ts'
import type { JournalRecord } from '../journal/record.ts'
import type { Rendered } from '../journal/renderer.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { type PolicyOverrides, type Profile, profiles, settle } from '../policies/settings.ts'
import type { ChangeStep } from '../scenarios/scenario.ts'
import { UsageError } from '../usage-error.ts'

/** What happened between a request and the one before it, as steps. */
export interface ChangesBefore {
  readonly steps: readonly ChangeStep[]
  /** What no step can say; null where nothing is left out */
  readonly warning: string | null
}

/** The changes of the world that a request was answered by, and the one before it was not. */
export function changesBefore(
  record: JournalRecord,
  before: JournalRecord | undefined,
  isFrozen: boolean,
  { entry }: Rendered,
): ChangesBefore {
  const steps: ChangeStep[] = []
  if (before) {
    const policies = differing(before.settings, record.settings)
    if (Object.keys(policies).length > 0) steps.push({ policies })
    if (isFrozen && before.at !== record.at)
      steps.push({ clock: new Date(record.at).toISOString() })
  }
  if (entry.fault === null) return { steps, warning: null }
  const fault = {
    when: { times: 1 },
    phase: entry.fault.phase as FaultPhase,
    effect: entry.fault.effect as FaultEffect,
  }
  try {
    rulesOf(fault)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return {
      steps,
      warning: `Entry ${entry.id} met a fault that no step can say: ${error.message}`,
    }
  }
  return { steps: [...steps, { fault }], warning: null }
}

/** A full set of policies as the profile that is nearest to it, and what differs. */
export function profileOf(settings: PolicySettings): {
  profile: Profile
  policies?: PolicyOverrides
} {
  const ways = profiles.map((profile) => ({
    profile,
    policies: differing(settle(profile), settings),
  }))
  const count = (policies: PolicyOverrides): number => Object.keys(policies).length
  const [nearest] = ways.sort((a, b) => count(a.policies) - count(b.policies))
  const { profile, policies } = nearest as (typeof ways)[number]
  return { profile, ...(count(policies) > 0 && { policies }) }
}

/** The policies that are set otherwise. */
function differing(before: PolicySettings, after: PolicySettings): PolicyOverrides {
  if (before === after) return {}
  const old: Readonly<Record<string, unknown>> = before
  return Object.fromEntries(Object.entries(after).filter(([id, value]) => old[id] !== value))
}
