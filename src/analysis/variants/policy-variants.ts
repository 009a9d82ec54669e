import { asOfDates, asOfPolicies } from '../../policies/as-of.ts'
import {
  type PolicyId,
  type PolicySetting,
  type PolicySettings,
  policies,
} from '../../policies/policies.ts'
import type { PolicyValue } from '../../policies/policy.ts'
import type { PolicyOverrides } from '../../policies/settings.ts'
import type { Variant } from './variant.ts'

type NumericPolicy = {
  [Id in PolicyId]: PolicySetting<Id> extends number ? Id : never
}[PolicyId]

// Tests have few rows, so two rows per page stand for every page that is smaller than a list.
const pageSizes = [2, 100]

/** The values of policies of whole numbers that a sweep tries. */
const plausibleNumbers: Readonly<Record<NumericPolicy, readonly number[]>> = {
  'annotations.list.limit.default': pageSizes,
  'plugins.list.limit.default': pageSizes,
  'projects.list.limit.default': pageSizes,
  // The default limit of Express, and the value of the profile `live`.
  'limits.body': [102_400, 20_971_520],
}

/** Lists each other plausible value of some policies, in the order of the policies. */
export function policyVariants(ids: Iterable<PolicyId>, settings: PolicySettings): Variant[] {
  const wanted = new Set<string>(ids)
  return Object.entries(policies)
    .filter(([id]) => wanted.has(id))
    .flatMap(([id]) =>
      plausibleValues(id as PolicyId)
        .filter((value) => value !== settings[id as PolicyId])
        .map((value) => policyVariant(id as PolicyId, value)),
    )
}

export function plausibleValues(id: PolicyId): readonly (string | number)[] {
  return plausibleNumbers[id as NumericPolicy] ?? Object.keys(policies[id].values)
}

function policyVariant(id: PolicyId, value: string | number): Variant {
  const { meaning, evidence, source } = describeValue(id, value)
  return {
    id: `${id}=${value}`,
    sentence: meaning,
    evidence,
    source,
    policies: { [id]: value } as PolicyOverrides,
  }
}

/** Describes a value of a policy. The value of a policy of whole numbers is a number. */
export function describeValue(id: PolicyId, value: string | number): PolicyValue {
  const { values } = policies[id]
  return (values[value] ?? values.integer) as PolicyValue
}

/** Lists the API as it was at each date that is known. */
export function dateVariants(): Variant[] {
  return asOfDates().map((date) => ({
    id: `as of ${date}`,
    sentence: `The API is that of ${date}.`,
    evidence: 'observed',
    source: `seen in the live service's API schema of ${date}`,
    policies: asOfPolicies(date),
  }))
}
