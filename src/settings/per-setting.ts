import type { SettingId, SettingValue, SettingValues } from './setting.ts'

/** One value for each value of a setting. */
export interface Choices<T> {
  readonly setting: SettingId
  readonly choices: Readonly<Record<string, T>>
}

/** A value, or one for each value of a setting. */
export type PerSetting<T> = T | Choices<T>

/**
 * Lets a setting decide a part of an endpoint.
 *
 * @example perSetting('methods.put', { off: false, on: true })
 */
export function perSetting<Id extends SettingId, T>(
  setting: Id,
  choices: Readonly<Record<SettingValue<Id> & string, T>>,
): Choices<T> {
  return { setting, choices }
}

/** Chooses the value for the values of all settings. @example choose(endpoint.status, settings) // 200 */
export function choose<T>(value: PerSetting<T>, settings: SettingValues): T {
  return isPerSetting(value) ? (value.choices[settings[value.setting]] as T) : value
}

export function possibleValues<T>(value: PerSetting<T>): readonly T[] {
  return isPerSetting(value) ? Object.values(value.choices) : [value]
}

export function isPerSetting<T>(value: PerSetting<T>): value is Choices<T> {
  return (value as Partial<Choices<T>> | null | undefined)?.choices !== undefined
}
