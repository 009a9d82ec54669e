import { findRoute } from '../../api/find-route.ts'
import { TrackedSettings } from '../../policies/by-policy.ts'
import { describeValue, type PolicyId, policyIds } from '../../policies/policies.ts'
import type { JournalPolicy } from './entry.ts'
import type { JournalRecord } from './journal.ts'

/** Lists the policies that a response depends on, with their settings at the time of the request. */
export function usedPolicies(record: JournalRecord): JournalPolicy[] {
  return listUsedPolicies(record).map((id) => {
    const setting = record.settings[id]
    const { evidence, source } = describeValue(id, setting)
    return { id, setting, evidence, source }
  })
}

/** The ids of the policies that a response depends on. */
export function listUsedPolicies(record: JournalRecord): readonly PolicyId[] {
  const reads = new Set([...record.policyReads, ...routingPolicies(record)])
  return policyIds.filter((id) => reads.has(id))
}

/**
 * The policies that were read to find the route. They are read again here, since reads cannot be tracked at that time:
 * other requests are handled while a body arrives.
 */
function routingPolicies(record: JournalRecord): readonly PolicyId[] {
  const tracker = new TrackedSettings(record.settings)
  findRoute(record, tracker.settings)
  // Reading the property is what tracks it.
  if (record.requestBody !== null) void tracker.settings['limits.body']
  return tracker.takeReads()
}
