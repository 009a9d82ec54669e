import { type DocumentLine, documentLines } from './document.ts'

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

/** A value: its sentence under the name of its evidence, as in `{ observed: 'Yes.', source: 'tests' }`. */
export type ValueDefinition = { readonly [Name in Evidence]?: string } & Partial<
  Pick<PolicyValue, 'source' | 'minimum' | 'maximum'>
>

/** A policy whose values can omit their source or name a common one. By default it is the usual source of their evidence. */
export interface PolicyDefinition extends Omit<Policy, 'documentation' | 'values' | 'live'> {
  /** By default the text of the first line that is cited. */
  readonly documentation?: string
  /**
   * The lines of the documentation that the policy is about. A policy about something that the documentation does not
   * mention cites what it says instead.
   */
  readonly cites: readonly [DocumentLine, ...DocumentLine[]]
  /** By default the value of `documented`. */
  readonly live?: string | number
  readonly values: Readonly<Record<string, ValueDefinition>>
}

/** A definition with known values. */
export interface PolicyOf<Value extends string> extends PolicyDefinition {
  readonly values: Readonly<Record<Value, ValueDefinition>>
}

/** Where the live service was observed, in words. */
export const observedSources: Readonly<Record<'source' | 'tests' | 'framework', string>> = {
  source: 'read in the source of the live service',
  tests: "seen in the live service's own tests",
  framework: 'seen by running the framework of the live service',
}

export function definePolicy({ cites, ...definition }: PolicyDefinition): Policy {
  const { documentation = documentLines[cites[0]] } = definition
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
  const { documented, live = documented } = definition
  return { ...definition, documentation, values: Object.fromEntries(values), documented, live }
}

/** The settings that a policy allows: some values, or the whole numbers of a range. */
export interface SettingRange {
  /** By default the first value */
  readonly documented?: string | number
  /** By default as documented */
  readonly live?: string | number
  readonly values?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
}
