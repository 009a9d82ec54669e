import { annotationSettings } from './annotations.ts'
import type { DocumentLine } from './document.ts'
import type { PossibleValue } from './evidence.ts'
import { pluginSettings } from './plugins.ts'
import { serviceSettings } from './service.ts'

/** A value for a detail that the documentation leaves open, or in which the live service contradicts it. */
export interface Setting {
  /** The lines of the documentation that the setting is about, or that the documentation does not mention it */
  readonly cites: readonly [DocumentLine, ...DocumentLine[]]
  readonly question: string
  readonly values: Readonly<Record<string, PossibleValue>>
  /** The value in the profile `documented`, which is the default one */
  readonly default: string | number
  /** The value in the profile `live`, if it differs */
  readonly live?: string | number
  /**
   * What makes a client work with a value that breaks it, as a sentence, by the value. `any` is for all others. By default a
   * client can only expect the value
   */
  readonly cures?: Readonly<Record<string, string>>
}

const definitions = {
  ...annotationSettings,
  ...pluginSettings,
  ...serviceSettings,
} satisfies Readonly<Record<string, Omit<Setting, 'cites'>>>

type Wrong = Exclude<(typeof definitions)[keyof typeof definitions]['cites'][number], DocumentLine>

/** `true`, or what a setting cites although the document does not say it: this error of `tsc` is the first one. */
type AreCited = [Wrong] extends [never] ? true : `${Wrong} is no line of src/settings/document.ts`

type If<_Check extends true, Type> = Type

/** The id of a setting, such as `annotations.delete.status`. */
export type SettingId = If<AreCited, keyof typeof definitions>

/** What a setting can be set to: one of its values, or a whole number. */
export type SettingValue<Id extends SettingId> =
  'integer' extends keyof (typeof definitions)[Id]['values']
    ? number
    : keyof (typeof definitions)[Id]['values'] & string

/** A value for each setting. */
export type SettingValues = { readonly [Id in SettingId]: SettingValue<Id> }

export const settingIds: readonly SettingId[] = Object.keys(definitions) as SettingId[]

/** All settings by their id. */
export const settingsById: Readonly<Record<SettingId, Setting>> = definitions

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

/** For settings of whole numbers, which have no list of values: the numbers to try. */
export type OtherNumbers = { readonly [Id in SettingId]?: readonly number[] }

/**
 * Lists the other values of settings, in the order of the ids that are given.
 *
 * @param numbers the values to try of settings of whole numbers. By default these settings are left out
 */
export function otherValues(
  ids: Iterable<SettingId>,
  settings: { readonly [Id in SettingId]?: string | number },
  numbers: OtherNumbers = {},
): OtherValue[] {
  return [...ids].flatMap((id) => {
    const { values } = settingsById[id]
    const tried = numbers[id] ?? (values.integer ? [] : Object.keys(values))
    return tried.filter((value) => value !== settings[id]).map((value) => ({ id, value }))
  })
}

/** What each value of a setting selects. */
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

/** Some settings. A journal has them of each request, so they take as little memory as a few numbers. */
export class SettingReads {
  /** A bit for each setting, in the order of the ids */
  readonly #bits: number[] = [0, 0]

  /** @param index that of the setting in `settingIds` */
  add(index: number): void {
    const at = Math.floor(index / bitsOfNumber)
    this.#bits[at] = (this.#bits[at] ?? 0) | (1 << (index % bitsOfNumber))
  }

  addAll(ids: readonly SettingId[]): this {
    for (const id of ids) this.add(settingIds.indexOf(id))
    return this
  }

  /** In the order of all settings */
  get ids(): SettingId[] {
    return settingIds.filter((_, index) => {
      const bits = this.#bits[Math.floor(index / bitsOfNumber)] ?? 0
      return bits & (1 << (index % bitsOfNumber))
    })
  }
}

/** The engine stores whole numbers of more bits in memory of their own. */
const bitsOfNumber = 31

/** Where settings are read, and where each setting that was read is noted. Both can be replaced. */
interface SettingsReader {
  readonly world: { readonly settings: SettingValues }
  readonly reads: SettingReads
}

/** Notes which settings are read: those that a response depends on. */
export function track(reader: SettingsReader): SettingValues {
  return new TrackedSettings(reader) as unknown as SettingValues
}

class TrackedSettings {
  readonly #reader: SettingsReader

  constructor(reader: SettingsReader) {
    this.#reader = reader
  }

  read(index: number, id: SettingId): unknown {
    this.#reader.reads.add(index)
    return this.#reader.world.settings[id]
  }
}

// Not a proxy: the engine calls its trap for each read, and inlines these. Metro compiles no static block of a class.
for (const [index, id] of settingIds.entries())
  Object.defineProperty(TrackedSettings.prototype, id, {
    get(this: TrackedSettings) {
      return this.read(index, id)
    },
  })
