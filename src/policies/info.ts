import { type PolicyId, type PolicySettings, policies, policyIds } from './policies.ts'
import type { PolicyValue } from './policy.ts'

/** A policy with what it is set to. */
export interface PolicyInfo {
  readonly id: PolicyId
  /** What the document says, in its own words */
  readonly line: string
  readonly question: string
  readonly setting: string | number
  /** What it is set to in the profile `documented` */
  readonly documented: string | number
  readonly live: string | number
  /** What it can be set to; the value `integer` stands for a whole number between its bounds */
  readonly values: readonly (PolicyValue & { readonly value: string })[]
}

/** Every policy, in the order in which they are printed. */
export function listPolicyInfos(settings: PolicySettings): PolicyInfo[] {
  return policyIds.map((id) => {
    const { line, question, documented, live, values } = policies[id]
    return {
      id,
      line,
      question,
      setting: settings[id],
      documented,
      live,
      values: Object.entries(values).map(([value, meaning]) => ({ value, ...meaning })),
    }
  })
}
