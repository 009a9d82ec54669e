import type { PossibleValue } from './evidence.ts'
import { overrideSettings, type SettingOverrides } from './resolve.ts'
import {
  documentationOf,
  type SettingId,
  type SettingValue,
  type SettingValues,
  settingIds,
  settingsById,
} from './setting.ts'

interface SettingState {
  settings: SettingValues
}

/** The settings of a running simulator. */
export class Settings {
  readonly #state: SettingState

  /** @internal */
  constructor(state: SettingState) {
    this.#state = state
  }

  /** The values of all settings, as a copy. */
  get values(): SettingValues {
    return { ...this.#state.settings }
  }

  /** Lists all settings with their values and allowed values. */
  list(): SettingInfo[] {
    return settingIds.map((id) => {
      const { question, values, default: usual, live = usual } = settingsById[id]
      return {
        id,
        documentation: documentationOf(id),
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
   * Sets some settings, from the next request on.
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
