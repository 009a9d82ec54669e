import { checkAll, unexpectedValue, unknownWord } from '../utils/errors.ts'
import {
  type OtherValue,
  type SettingId,
  type SettingValues,
  settingIds,
  settingsById,
} from './setting.ts'

/**
 * A set of settings. `documented` follows the documentation, and what the live service does where the documentation does
 * not say. `live` follows the live service.
 */
export type Profile = 'documented' | 'live'

export const profiles: readonly Profile[] = ['documented', 'live']

/** The value of a setting in a profile. */
export function valueIn(profile: Profile, id: SettingId): string | number {
  const { default: usual, live = usual } = settingsById[id]
  return profile === 'live' ? live : usual
}

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
  if (!profiles.includes(profile as Profile)) {
    throw unknownWord('choose a profile', profiles, profile, 'profile')
  }
  const settings = settingIds.map((id) => [id, valueIn(profile as Profile, id)])
  return overrideSettings(Object.fromEntries(settings) as SettingValues, overrides)
}

/**
 * Returns a copy of the values with overrides; without any, the values themselves.
 *
 * @throws UsageError for an unknown setting or value
 */
export function overrideSettings(
  settings: SettingValues,
  overrides: SettingOverrides,
): SettingValues {
  if (typeof overrides !== 'object' || overrides === null) {
    throw unexpectedValue('set settings', 'an object of settings by setting id', overrides)
  }
  const changes = Object.entries(overrides).filter(([, value]) => value !== undefined)
  const checked: [string, string | number][] = []
  const checks = changes.map(
    ([id, value]) =>
      () =>
        void checked.push([id, checkValue(id, value)]),
  )
  checkAll('set settings', checks)
  return checked.length === 0 ? settings : { ...settings, ...Object.fromEntries(checked) }
}

/** Checks a value and converts it: for a setting of whole numbers, `'4096'` becomes 4096. */
function checkValue(id: string, value: string | number): string | number {
  if (!Object.hasOwn(settingsById, id)) {
    const expected = 'the id of a setting (npx understudy-api settings lists them)'
    throw unknownWord('set a setting', settingIds, id, id, expected)
  }
  const { values } = settingsById[id as SettingId]
  if (values.integer) {
    const { minimum = 0, maximum = 0 } = values.integer
    const isText = typeof value === 'string' && /^\d+$/.test(value)
    const number = isText ? Number(value) : (value as number)
    if (Number.isInteger(number) && number >= minimum && number <= maximum) return number
    const expected = `a whole number from ${minimum} to ${maximum}`
    throw unexpectedValue(`set ${id}`, expected, value, undefined, id)
  }
  // A list of one text would be used as its text.
  if (typeof value !== 'object' && Object.hasOwn(values, value)) return String(value)
  throw unknownWord(`set ${id}`, Object.keys(values), value, id)
}

/** The values as values, for an option `settings`. */
export function toOverrides(values: Iterable<OtherValue>): SettingOverrides {
  return Object.fromEntries([...values].map(({ id, value }) => [id, value]))
}

/** The profile that is nearest to some values, and the values that differ from it. */
export function nearestProfile(values: SettingValues): {
  readonly profile: Profile
  readonly settings: SettingOverrides
} {
  const candidates = profiles.map((profile) => {
    const settings = diffSettings(resolveSettings(profile), values)
    return { profile, settings, count: Object.keys(settings).length }
  })
  const [nearest] = candidates.sort((a, b) => a.count - b.count)
  const { profile, settings } = nearest as (typeof candidates)[number]
  return { profile, settings }
}

/** The settings of `after` that differ from those of `before`. */
export function diffSettings(before: SettingValues, after: SettingValues): SettingOverrides {
  if (before === after) return {}
  const old: Readonly<Record<string, unknown>> = before
  return Object.fromEntries(Object.entries(after).filter(([id, value]) => old[id] !== value))
}
