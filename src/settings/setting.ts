import { annotationSettings } from './annotations.ts'
import { type DocumentLine, documentLines } from './document.ts'
import { extraSettings } from './extras.ts'
import { keySettings } from './keys.ts'
import { pluginSettings } from './plugins.ts'
import { serviceSettings } from './service.ts'

/** Why a value is believed: the documentation says it, the live service was seen doing it, or it is a guess. */
export type Evidence = 'documented' | 'observed' | 'assumed'

/** An allowed value of a setting. */
export interface PossibleValue {
  /** What the value means, as a sentence that answers the question of the setting. */
  readonly meaning: string
  readonly evidence: Evidence
  readonly source: string
  /** The bounds of the value named `integer`. A setting with this value is set to a whole number. */
  readonly minimum?: number
  readonly maximum?: number
}

/** A value for a detail that the documentation leaves open, or in which the live service contradicts it. */
export interface Setting {
  /** What the documentation says, in its own words if it says anything. */
  readonly documentation: string
  readonly question: string
  readonly values: Readonly<Record<string, PossibleValue>>
  /** The value in the default profile, `documented`. */
  readonly documented: string | number
  /** The value in the profile `live`. */
  readonly live: string | number
  /**
   * What makes a client work with a value that breaks it, as a sentence, by the value. `any` is for all others. By default a
   * client can only expect the value
   */
  readonly cures: Readonly<Record<string, string>>
}

/** A setting as the tables declare it: a value has its sentence under the name of its evidence. */
interface SettingDefinition {
  /** By default the text of the first line that is cited. */
  readonly documentation?: string
  /**
   * The lines of the documentation that the setting is about. A setting about something that the documentation does not
   * mention cites what it says instead.
   */
  readonly cites: readonly [DocumentLine, ...DocumentLine[]]
  readonly question: string
  /** By default, the source of a value is the usual one of its evidence. */
  readonly values: Readonly<
    Record<
      string,
      { readonly [Name in Evidence]?: string } & Partial<
        Omit<PossibleValue, 'meaning' | 'evidence'>
      >
    >
  >
  readonly documented: string | number
  /** By default the value of `documented`. */
  readonly live?: string | number
  readonly cures?: Setting['cures']
}

const definitions = {
  ...annotationSettings,
  ...pluginSettings,
  ...extraSettings,
  ...keySettings,
  ...serviceSettings,
} satisfies Readonly<Record<string, SettingDefinition>>

/** The id of a setting, such as `annotations.delete.status`. */
export type SettingId = keyof typeof definitions

/** What a setting can be set to: one of its values, or a whole number. */
export type SettingValue<Id extends SettingId> =
  'integer' extends keyof (typeof definitions)[Id]['values']
    ? number
    : keyof (typeof definitions)[Id]['values'] & string

/** A value for each setting. */
export type SettingValues = { readonly [Id in SettingId]: SettingValue<Id> }

export const settingIds: readonly SettingId[] = Object.keys(definitions) as SettingId[]

/** Where the live service was observed, in words. */
export const observedSources: Readonly<Record<'source' | 'tests' | 'framework', string>> = {
  source: 'read in the source of the live service',
  tests: "seen in the live service's own tests",
  framework: 'seen by running the framework of the live service',
}

/** All settings by their id. */
export const settingsById: Readonly<Record<SettingId, Setting>> = mapDefinitions(defineSetting)

/** The lines of the documentation that each setting is about. */
export const settingCitations: Readonly<Record<SettingId, readonly DocumentLine[]>> =
  mapDefinitions(({ cites }) => cites)

function mapDefinitions<T>(map: (definition: SettingDefinition) => T): Record<SettingId, T> {
  const entries = settingIds.map((id) => [id, map(definitions[id])])
  return Object.fromEntries(entries)
}

function defineSetting({ cites, ...definition }: SettingDefinition): Setting {
  const { documentation = documentLines[cites[0]], documented, live = documented } = definition
  const { cures = {} } = definition
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
  return {
    ...definition,
    documentation,
    values: Object.fromEntries(values),
    documented,
    live,
    cures,
  }
}

/** The sentence of a value and its evidence. Numbers that no value names have those of the value `integer`. */
export function describeValue(id: SettingId, value: string | number): PossibleValue {
  const { values } = settingsById[id]
  return (values[value] ?? values.integer) as PossibleValue
}

/** Another value of a setting than the one of a run, to try what the run would be with it. */
export interface OtherValue {
  readonly id: SettingId
  readonly value: string | number
}

/**
 * Lists the other values of settings, in the order of the ids.
 *
 * @param numbers the values to try of settings of whole numbers. By default these settings are left out
 */
export function otherValues(
  ids: Iterable<SettingId>,
  settings: { readonly [Id in SettingId]?: string | number },
  numbers: { readonly [Id in SettingId]?: readonly number[] } = {},
): OtherValue[] {
  return [...ids].flatMap((id) => {
    const { values } = settingsById[id]
    const tried = numbers[id] ?? (values.integer ? [] : Object.keys(values))
    return tried.filter((value) => value !== settings[id]).map((value) => ({ id, value }))
  })
}
