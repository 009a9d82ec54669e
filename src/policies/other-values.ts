import { type PolicyId, policies } from './policies.ts'
import type { PolicyValue } from './policy.ts'
import type { PolicyOverrides } from './settings.ts'

/** Another value of a policy than the one of a run, to try what the run would be with it. */
export interface OtherValue {
  readonly id: PolicyId
  readonly value: string | number
}

/**
 * Lists the other values of policies, in the order of the ids.
 *
 * @param numbers the values to try of policies of whole numbers. By default these policies are left out
 */
export function otherValues(
  ids: Iterable<PolicyId>,
  settings: { readonly [Id in PolicyId]?: string | number },
  numbers: { readonly [Id in PolicyId]?: readonly number[] } = {},
): OtherValue[] {
  return [...ids].flatMap((id) => {
    const { values: named } = policies[id]
    const values: readonly (string | number)[] =
      numbers[id] ?? ('integer' in named ? [] : Object.keys(named))
    return values.filter((value) => value !== settings[id]).map((value) => ({ id, value }))
  })
}

/** The sentence of a setting and its evidence. Numbers that no value names have those of the value `integer`. */
export function describeValue(id: PolicyId, setting: string | number): PolicyValue {
  const values: Readonly<Record<string, PolicyValue>> = policies[id].values
  return (values[setting] ?? values.integer) as PolicyValue
}

/** The values as settings, for an option `policies`. */
export function toOverrides(values: Iterable<OtherValue>): PolicyOverrides {
  return Object.fromEntries([...values].map(({ id, value }) => [id, value]))
}
