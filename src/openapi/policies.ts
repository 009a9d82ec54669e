import type { JournalPolicy } from '../journal/entry.ts'
import { type PolicyId, policies } from '../policies/policies.ts'
import type { PolicyValue } from '../policies/policy.ts'

/** A policy as documents show it: what it asks, how it is set, and why that is believed. */
export interface DescribedPolicy extends JournalPolicy {
  readonly question: string
  readonly says: string
}

export function describePolicy(policy: JournalPolicy): DescribedPolicy {
  const { question, values } = policies[policy.id as PolicyId]
  const known: Readonly<Record<string, PolicyValue>> = values
  return { ...policy, question, says: (known[policy.setting] ?? known.integer)?.says ?? '' }
}

/** The policies in words, for people. */
export function describePolicies(described: readonly DescribedPolicy[]): string {
  const lines = described.map(
    ({ id, setting, question, says, evidence, source }) =>
      `- \`${id}\` is \`${setting}\`. ${question} ${says} (${evidence}: ${source})`,
  )
  return lines.length === 0
    ? ''
    : `What the API's document leaves open here:\n\n${lines.join('\n')}`
}
