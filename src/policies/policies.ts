import { annotationPolicies } from './annotations.ts'
import { keyPolicies } from './keys.ts'
import { extraBodyPolicies, extraScopePolicies } from './plugin-extras.ts'
import { pluginPolicies, structurePolicies } from './plugins.ts'
import type { Policy } from './policy.ts'
import { servicePolicies } from './service.ts'

type PolicyTables = typeof annotationPolicies &
  typeof pluginPolicies &
  typeof structurePolicies &
  typeof extraScopePolicies &
  typeof extraBodyPolicies &
  typeof keyPolicies &
  typeof servicePolicies

/** The name of a policy, such as `annotations.delete.status`. */
export type PolicyId = keyof PolicyTables

/** What a policy can be set to: one of its words, or a whole number. */
export type PolicySetting<Id extends PolicyId> = 'integer' extends keyof PolicyTables[Id]['values']
  ? number
  : keyof PolicyTables[Id]['values'] & string

/** One setting for every policy. */
export type PolicySettings = { readonly [Id in PolicyId]: PolicySetting<Id> }

/** Every policy by its id, in the order in which they are printed. */
export const policies: Readonly<Record<PolicyId, Policy>> = {
  ...annotationPolicies,
  ...pluginPolicies,
  ...structurePolicies,
  ...extraScopePolicies,
  ...extraBodyPolicies,
  ...keyPolicies,
  ...servicePolicies,
}

export const policyIds: readonly PolicyId[] = Object.keys(policies) as PolicyId[]
