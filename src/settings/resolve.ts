import {
  findIssues,
  type Issue,
  inspectValue,
  issuesError,
  suggestWord,
  unknownWord,
} from '../utils/errors.ts'
import { isObject } from '../utils/json.ts'
import { documentLines } from './document.ts'
import type { PossibleValue } from './evidence.ts'
import { nearestProfile, type Profile, profiles, valueIn } from './profiles.ts'
import {
  type OtherValue,
  type SettingId,
  type SettingValue,
  type SettingValues,
  settingIds,
  settingsById,
} from './setting.ts'

/** Values of some settings. A numeric value can be a number: `{ 'annotations.delete.status': 403 }`. */
export type SettingOverrides = KnownSettings | SettingsJson

type KnownSettings = {
  readonly [Id in SettingId]?:
    | SettingValues[Id]
    | `${SettingValues[Id]}`
    | NumberOf<SettingValues[Id]>
}

/** Settings of a JSON module, of whose values TypeScript knows no more. They are checked when they are used. */
type SettingsJson = { readonly [Id in SettingId]?: (string & {}) | (number & {}) }

type NumberOf<Setting> = Setting extends `${infer Number extends number}` ? Number : never

/**
 * Resolves the values of all settings from a profile and overrides.
 *
 * @throws UsageError for an unknown profile, setting or value
 */
export function resolveSettings(
  profile: string = 'documented',
  overrides: SettingOverrides = {},
): SettingValues {
  if (!profiles.some((known) => known === profile)) {
    throw unknownWord('choose a profile', profiles, profile, 'profile')
  }
  const settings = settingIds.map((id) => [id, valueIn(profile as Profile, settingsById[id])])
  return overrideSettings(Object.fromEntries(settings) as SettingValues, overrides)
}

/**
 * Returns a copy of the values with overrides; without any, the values themselves.
 *
 * @throws UsageError with up to 100 issues of a setting or value
 */
export function overrideSettings(
  settings: SettingValues,
  overrides: SettingOverrides,
): SettingValues {
  const issues = settingIssues(overrides)
  if (issues.length > 0) throw issuesError('Failed to set settings.', issues)
  const changes = Object.entries(overrides).filter(([, value]) => value !== undefined)
  if (changes.length === 0) return settings
  const converted = changes.map(([id, value]) => [id, convert(id as SettingId, value)])
  return { ...settings, ...Object.fromEntries(converted) }
}

/** Finds unknown settings, and values that they cannot have. An undefined value is none. */
export function settingIssues(overrides: unknown): Issue[] {
  if (!isObject(overrides)) {
    return [{ path: [], text: `expected values by setting id, got ${inspectValue(overrides)}` }]
  }
  return findIssues(Object.entries(overrides), ([id, value]) => {
    const text = value === undefined ? null : describeIssue(id, value)
    return text === null ? [] : [{ path: [id], text }]
  })
}

function describeIssue(id: string, value: unknown): string | null {
  if (!Object.hasOwn(settingsById, id)) {
    const hint = suggestWord(id, settingIds) || ' npx understudy-api settings lists all.'
    return `unknown setting.${hint}`
  }
  const { values } = settingsById[id as SettingId]
  const got = `got ${inspectValue(value)}`
  if (values.integer) {
    const { minimum = 0, maximum = 0 } = values.integer
    const number = convert(id as SettingId, value) as number
    const isWithin = Number.isInteger(number) && number >= minimum && number <= maximum
    return isWithin ? null : `expected a whole number from ${minimum} to ${maximum}, ${got}`
  }
  // A list of one text would be used as its text.
  if (typeof value !== 'object' && Object.hasOwn(values, String(value))) return null
  const words = Object.keys(values)
  const hint = suggestWord(String(value), words)
  return `expected one of ${words.join(', ')}, ${got}${hint && `.${hint}`}`
}

/** For a setting of whole numbers, `'4096'` becomes 4096, and for any other, 404 becomes `'404'`. */
function convert(id: SettingId, value: unknown) {
  if (!settingsById[id].values.integer) return String(value)
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : (value as number)
}

/** The values as values, for an option `settings`. */
export function toOverrides(values: Iterable<OtherValue>): SettingOverrides {
  return Object.fromEntries([...values].map(({ id, value }) => [id, value]))
}

/** The profile that is nearest to some values, and the values that differ from it. */
export function toProfile(values: SettingValues): {
  readonly profile: Profile
  readonly settings: SettingOverrides
} {
  const { profile, changed } = nearestProfile(
    settingIds.map((id) => ({ ...settingsById[id], id, value: values[id] })),
  )
  return { profile, settings: toOverrides(changed) }
}

export function diffSettings(before: SettingValues, after: SettingValues): SettingOverrides {
  if (before === after) return {}
  const old: Readonly<Record<string, unknown>> = before
  return Object.fromEntries(Object.entries(after).filter(([id, value]) => old[id] !== value))
}

/** The settings of a running simulator. */
export class Settings {
  readonly #state: { settings: SettingValues }

  /** @internal */
  constructor(state: { settings: SettingValues }) {
    this.#state = state
  }

  /** The values of all settings, as a copy. */
  get values(): SettingValues {
    return { ...this.#state.settings }
  }

  /** Lists all settings with their values and allowed values. */
  list(): SettingInfo[] {
    return settingIds.map((id) => {
      const { question, values, cites, default: usual, live = usual } = settingsById[id]
      return {
        id,
        documentation: documentLines[cites[0]],
        question,
        value: this.#state.settings[id],
        default: usual,
        live,
        values: Object.entries(values).map(([value, meaning]) => ({ value, ...meaning })),
      }
    })
  }

  get<Id extends SettingId>(id: Id): SettingValue<Id> {
    return this.#state.settings[id] as SettingValue<Id>
  }

  /**
   * Sets some settings, for requests that are carried out from now on.
   *
   * @throws UsageError for an unknown setting or value; then no setting is set
   * @example simulator.settings.set({ 'annotations.delete.status': '405_empty' })
   */
  set(overrides: SettingOverrides): void {
    this.#state.settings = overrideSettings(this.#state.settings, overrides)
  }
}

/** A setting and its value. */
export interface SettingInfo {
  readonly id: SettingId
  /** What the documentation says. */
  readonly documentation: string
  readonly question: string
  readonly value: string | number
  /** The value in the profile `documented`, which is the default one. */
  readonly default: string | number
  /** The value in the profile `live`. */
  readonly live: string | number
  /** The allowed values. `integer` allows every whole number within its bounds. */
  readonly values: readonly (PossibleValue & { readonly value: string })[]
}
