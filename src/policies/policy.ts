/** Why a value is believed: the documentation says it, the live service was seen doing it, or it is a guess. */
export type Evidence = 'documented' | 'observed' | 'assumed'

/** An allowed value of a policy. */
export interface PolicyValue {
  /** What the value means, as a sentence that answers the question of the policy. */
  readonly meaning: string
  readonly evidence: Evidence
  readonly source: string
  /** The month from which on the live service had this value, such as `2024-07`. See `asOfPolicies`. */
  readonly since?: string
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
  /** Why there is only one value. */
  readonly only?: string
}

/** A value: its sentence under the name of its evidence, as in `{ observed: 'Yes.', source: 'tests' }`. */
type ValueDefinition = { readonly [Name in Evidence]?: string } & Partial<
  Pick<PolicyValue, 'source' | 'since' | 'minimum' | 'maximum'>
>

/** A policy whose values can omit their source or name a common one. By default it is the usual source of their evidence. */
export interface PolicyDefinition extends Omit<Policy, 'values' | 'live'> {
  /** By default the value of `documented`. */
  readonly live?: string | number
  readonly values: Readonly<Record<string, ValueDefinition>>
}

/** Where the live service was observed, in words. */
export const observedSources: Readonly<Record<'source' | 'tests' | 'framework', string>> = {
  source: 'read in the source of the live service',
  tests: "seen in the live service's own tests",
  framework: 'seen by running the framework of the live service',
}

export function definePolicy(definition: PolicyDefinition): Policy {
  const usualSources: Readonly<Record<Evidence, string>> = {
    documented: `the documentation says: ${definition.documentation}`,
    observed: observedSources.source,
    assumed: 'never seen; a robust client tolerates it',
  }
  const values = Object.entries(definition.values).map(([value, { source, ...rest }]) => {
    const evidence = rest.documented ? 'documented' : rest.observed ? 'observed' : 'assumed'
    const { [evidence]: meaning, ...bounds } = rest
    const usual = rest.since
      ? `seen in the live service's API schema of ${rest.since}`
      : usualSources[evidence]
    const origin = source === undefined ? usual : (observedSources[source as 'tests'] ?? source)
    return [value, { meaning, evidence, source: origin, ...bounds }]
  })
  const { documented, live = documented } = definition
  return { ...definition, values: Object.fromEntries(values), documented, live }
}
