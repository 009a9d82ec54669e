import { annotationPolicies } from './annotations.ts'
import { type DocumentLine, documentLines } from './document.ts'
import { extraPolicies } from './extras.ts'
import { keyPolicies } from './keys.ts'
import { pluginPolicies } from './plugins.ts'
import { servicePolicies } from './service.ts'

/** Why a value is believed: the documentation says it, the live service was seen doing it, or it is a guess. */
export type Evidence = 'documented' | 'observed' | 'assumed'

/** An allowed value of a policy. */
export interface PolicyValue {
  /** What the value means, as a sentence that answers the question of the policy. */
  readonly meaning: string
  readonly evidence: Evidence
  readonly source: string
  /** The bounds of the value named `integer`. A policy with this value is set to a whole number. */
  readonly minimum?: number
  readonly maximum?: number
}

/** A setting for a detail that the documentation leaves open, or in which the live service contradicts it. */
export interface Policy {
  /** What the documentation says, in its own words if it says anything. */
  readonly documentation: string
  readonly question: string
  readonly values: Readonly<Record<string, PolicyValue>>
  /** The value in the default profile, `documented`. */
  readonly documented: string | number
  /** The value in the profile `live`. */
  readonly live: string | number
}

/** A policy as the tables declare it: a value has its sentence under the name of its evidence. */
interface PolicyDefinition {
  /** By default the text of the first line that is cited. */
  readonly documentation?: string
  /**
   * The lines of the documentation that the policy is about. A policy about something that the documentation does not
   * mention cites what it says instead.
   */
  readonly cites: readonly [DocumentLine, ...DocumentLine[]]
  readonly question: string
  /** By default, the source of a value is the usual one of its evidence. */
  readonly values: Readonly<
    Record<
      string,
      { readonly [Name in Evidence]?: string } & Partial<Omit<PolicyValue, 'meaning' | 'evidence'>>
    >
  >
  readonly documented: string | number
  /** By default the value of `documented`. */
  readonly live?: string | number
}

const definitions = {
  ...annotationPolicies,
  ...pluginPolicies,
  ...extraPolicies,
  ...keyPolicies,
  ...servicePolicies,
} satisfies Readonly<Record<string, PolicyDefinition>>

/** The id of a policy, such as `annotations.delete.status`. */
export type PolicyId = keyof typeof definitions

/** What a policy can be set to: one of its values, or a whole number. */
export type PolicySetting<Id extends PolicyId> =
  'integer' extends keyof (typeof definitions)[Id]['values']
    ? number
    : keyof (typeof definitions)[Id]['values'] & string

/** A setting for each policy. */
export type PolicySettings = { readonly [Id in PolicyId]: PolicySetting<Id> }

export const policyIds: readonly PolicyId[] = Object.keys(definitions) as PolicyId[]

/** Where the live service was observed, in words. */
export const observedSources: Readonly<Record<'source' | 'tests' | 'framework', string>> = {
  source: 'read in the source of the live service',
  tests: "seen in the live service's own tests",
  framework: 'seen by running the framework of the live service',
}

/** All policies by their id. */
export const policies: Readonly<Record<PolicyId, Policy>> = mapDefinitions(definePolicy)

/** The lines of the documentation that each policy is about. */
export const policyCitations: Readonly<Record<PolicyId, readonly DocumentLine[]>> = mapDefinitions(
  ({ cites }) => cites,
)

function mapDefinitions<T>(map: (definition: PolicyDefinition) => T): Record<PolicyId, T> {
  const entries = policyIds.map((id) => [id, map(definitions[id])])
  return Object.fromEntries(entries)
}

function definePolicy({ cites, ...definition }: PolicyDefinition): Policy {
  const { documentation = documentLines[cites[0]], documented, live = documented } = definition
  const usualSources: Readonly<Record<Evidence, string>> = {
    documented: `the documentation says: ${documentation}`,
    observed: observedSources.source,
    assumed: 'never seen; a robust client tolerates it',
  }
  const values = Object.entries(definition.values).map(([value, { source, ...rest }]) => {
    const evidence = rest.documented ? 'documented' : rest.observed ? 'observed' : 'assumed'
    const { [evidence]: meaning, ...bounds } = rest
    const origin =
      source === undefined ? usualSources[evidence] : (observedSources[source as 'tests'] ?? source)
    return [value, { meaning, evidence, source: origin, ...bounds }]
  })
  return { ...definition, documentation, values: Object.fromEntries(values), documented, live }
}

/** The sentence of a setting and its evidence. Numbers that no value names have those of the value `integer`. */
export function describeValue(id: PolicyId, setting: string | number): PolicyValue {
  const { values } = policies[id]
  return (values[setting] ?? values.integer) as PolicyValue
}

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
    const { values } = policies[id]
    const tried = numbers[id] ?? (values.integer ? [] : Object.keys(values))
    return tried.filter((value) => value !== settings[id]).map((value) => ({ id, value }))
  })
}
