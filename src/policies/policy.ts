/** Why a value is believed: the documentation says it, the live service was seen doing it, or it is a guess. */
export type Evidence = 'documented' | 'observed' | 'assumed'

/** An allowed value of a policy. */
export interface PolicyValue {
  /** What the value means, as a sentence that answers the question of the policy. */
  readonly meaning: string
  readonly evidence: Evidence
  /** Where the evidence comes from. */
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
  /** Why there is only one value. */
  readonly only?: string
}

type ValueDefinition = Omit<PolicyValue, 'source'> & { readonly source?: string }

/** A policy whose values may omit their source. Then it is the usual source of their evidence. */
export interface PolicyDefinition extends Omit<Policy, 'values'> {
  readonly values: Readonly<Record<string, ValueDefinition>>
}

/** Completes a policy with the sources that its values omit. */
export function definePolicy(definition: PolicyDefinition): Policy {
  const usualSources: Readonly<Record<Evidence, string>> = {
    documented: `the documentation says: ${definition.documentation}`,
    observed: 'read in the source of the live service',
    assumed: 'never seen; a robust client tolerates it',
  }
  const values = Object.entries(definition.values).map(
    ([value, { meaning, evidence, ...rest }]) => [
      value,
      { meaning, evidence, source: usualSources[evidence], ...rest },
    ],
  )
  return { ...definition, values: Object.fromEntries(values) }
}
