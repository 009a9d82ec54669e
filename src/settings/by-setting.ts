import type { SettingId, SettingValue, SettingValues } from './setting.ts'

export interface BySetting<Choices> {
  readonly setting: SettingId
  readonly choices: Choices
}

/** A value, or one for each value of a setting. */
export type Resolvable<T> = T | BySetting<Readonly<Record<string, T>>>

/** Lets a setting decide a part of an endpoint. @param choices a value for each value */
export function bySetting<
  Id extends SettingId,
  Choices extends Readonly<Record<SettingValue<Id> & string, unknown>>,
>(setting: Id, choices: Choices): BySetting<Choices> {
  return { setting, choices }
}

/** Resolves a value under the values of all settings. @example resolveBySetting(endpoint.status, values) // 200 */
export function resolveBySetting<T>(value: Resolvable<T>, settings: SettingValues): T {
  return isBySetting(value) ? (value.choices[settings[value.setting]] as T) : value
}

export function possibleValues<T>(value: Resolvable<T>): readonly T[] {
  return isBySetting(value) ? Object.values(value.choices) : [value]
}

export function isBySetting<T>(
  value: Resolvable<T>,
): value is BySetting<Readonly<Record<string, T>>> {
  return (value as Partial<BySetting<object>> | null | undefined)?.choices !== undefined
}

/** Settings that remember which settings are read, so that the journal can list the settings of a response. */
export class TrackedValues {
  readonly settings: SettingValues
  /** The same settings, for reads that are not remembered. */
  readonly untracked: SettingValues
  readonly #reads = new Set<SettingId>()

  constructor(settings: SettingValues) {
    this.untracked = settings
    this.settings = new Proxy(settings, {
      get: (values, id: SettingId) => {
        this.#reads.add(id)
        return values[id]
      },
    })
  }

  /** Returns the settings that were read since the last call. */
  takeReads(): readonly SettingId[] {
    const reads = [...this.#reads]
    this.#reads.clear()
    return reads
  }
}
