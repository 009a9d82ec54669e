import { annotationPolicies } from './annotations.ts'
import { keyPolicies } from './keys.ts'
import { extraBodyPolicies, extraScopePolicies } from './plugin-extras.ts'
import { pluginPolicies, structurePolicies } from './plugins.ts'
import { definePolicy, type Policy, type PolicyDefinition } from './policy.ts'
import { servicePolicies } from './service.ts'

type PolicyTables = typeof annotationPolicies &
  typeof pluginPolicies &
  typeof structurePolicies &
  typeof extraScopePolicies &
  typeof extraBodyPolicies &
  typeof keyPolicies &
  typeof servicePolicies

/** The id of a policy, such as `annotations.delete.status`. */
export type PolicyId = keyof PolicyTables

/** What a policy can be set to: one of its values, or a whole number. */
export type PolicySetting<Id extends PolicyId> = 'integer' extends keyof PolicyTables[Id]['values']
  ? number
  : keyof PolicyTables[Id]['values'] & string

/** A setting for each policy. */
export type PolicySettings = { readonly [Id in PolicyId]: PolicySetting<Id> }

const definitions: Readonly<Record<PolicyId, PolicyDefinition>> = {
  ...annotationPolicies,
  ...pluginPolicies,
  ...structurePolicies,
  ...extraScopePolicies,
  ...extraBodyPolicies,
  ...keyPolicies,
  ...servicePolicies,
}

/** All policies by their id. */
export const policies: Readonly<Record<PolicyId, Policy>> = Object.fromEntries(
  Object.entries(definitions).map(([id, definition]) => [id, definePolicy(definition)]),
) as Record<PolicyId, Policy>
