import { annotationPolicies } from './annotations.ts'
import type { DocumentLine } from './document.ts'
import { extraPolicies } from './extras.ts'
import { keyPolicies } from './keys.ts'
import { pluginPolicies } from './plugins.ts'
import { definePolicy, type Policy, type PolicyDefinition } from './policy.ts'
import { servicePolicies } from './service.ts'

type PolicyTables = typeof annotationPolicies &
  typeof pluginPolicies &
  typeof extraPolicies &
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
  ...extraPolicies,
  ...keyPolicies,
  ...servicePolicies,
}

/** All policies by their id. */
export const policies = mapDefinitions<Policy>(definePolicy)

/** The lines of the documentation that each policy is about. */
export const policyCitations = mapDefinitions<readonly DocumentLine[]>(({ cites }) => cites)

function mapDefinitions<T>(
  map: (definition: PolicyDefinition) => T,
): Readonly<Record<PolicyId, T>> {
  const entries = Object.entries(definitions).map(([id, definition]) => [id, map(definition)])
  return Object.fromEntries(entries) as Record<PolicyId, T>
}
