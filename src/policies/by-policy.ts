import type { PolicyId, PolicySetting, PolicySettings } from './policies.ts'
import { policyIds, settingRanges } from './setting-ranges.ts'

export interface ByPolicy<Choices> {
  readonly policy: PolicyId
  readonly choices: Choices
}

/** A value, or one for each setting of a policy. */
export type Resolvable<T> = T | ByPolicy<Readonly<Record<string, T>>>

/**
 * Lets a policy decide a part of an endpoint.
 *
 * @param choices a value for each setting; without choices the value is the setting itself
 */
export function byPolicy<Id extends PolicyId>(
  policy: Id,
): ByPolicy<{ readonly [Setting in PolicySetting<Id> & string]: Setting }>
export function byPolicy<
  Id extends PolicyId,
  Choices extends Readonly<Record<PolicySetting<Id> & string, unknown>>,
>(policy: Id, choices: Choices): ByPolicy<Choices>
export function byPolicy(policy: PolicyId, choices?: object): ByPolicy<object> {
  if (choices) return { policy, choices }
  const { values: settings = [] } = settingRanges[policy]
  return { policy, choices: Object.fromEntries(settings.map((setting) => [setting, setting])) }
}

/** Resolves a value under the settings of all policies. @example resolveByPolicy(endpoint.status, settings) // 200 */
export function resolveByPolicy<T>(value: Resolvable<T>, settings: PolicySettings): T {
  return isByPolicy(value) ? (value.choices[settings[value.policy]] as T) : value
}

export function possibleValues<T>(value: Resolvable<T>): readonly T[] {
  return isByPolicy(value) ? Object.values(value.choices) : [value]
}

export function isByPolicy<T>(
  value: Resolvable<T>,
): value is ByPolicy<Readonly<Record<string, T>>> {
  if (typeof value !== 'object' || value === null) return false
  // Not `in`, which is slow for values of many shapes.
  return (value as Partial<ByPolicy<object>>).choices !== undefined
}

const bitsPerWord = 30

/** Settings that record which policies are read, so that the journal can list the policies of a response. */
export class TrackedSettings {
  /** The same settings, for reads that are not recorded. */
  readonly untracked: PolicySettings
  readonly settings: PolicySettings
  readonly #view: TrackingView
  #latest = new PolicyReads(0, 0, 0)

  /** @param other tracks other reads. Both share the values if their settings are the same object */
  constructor(settings: PolicySettings, other?: TrackedSettings) {
    this.untracked = settings
    const values = other?.untracked === settings ? other.#view.values : null
    this.#view = new TrackingView(values ?? policyIds.map((id) => settings[id]))
    this.settings = this.#view as unknown as PolicySettings
  }

  /** Returns the reads since the last call, as bits. Equal reads in a row are one object, which a journal stores once. */
  takeReads(): PolicyReads {
    const { first, second, third } = this.#view
    const latest = this.#latest
    if (first !== latest.first || second !== latest.second || third !== latest.third) {
      this.#latest = new PolicyReads(first, second, third)
    }
    this.forgetReads()
    return this.#latest
  }

  /** Starts the list of reads again. */
  forgetReads(): void {
    const view = this.#view
    view.first = 0
    view.second = 0
    view.third = 0
  }
}

export class PolicyReads {
  readonly first: number
  readonly second: number
  readonly third: number

  constructor(first: number, second: number, third: number) {
    this.first = first
    this.second = second
    this.third = third
  }

  or({ first, second, third }: PolicyReads): PolicyReads {
    return new PolicyReads(this.first | first, this.second | second, this.third | third)
  }
}

export function listReadPolicies({ first, second, third }: PolicyReads): PolicyId[] {
  const words = [first, second, third]
  return policyIds.filter((_id, index) => {
    const word = words[Math.floor(index / bitsPerWord)] ?? 0
    return (word & (1 << (index % bitsPerWord))) !== 0
  })
}

class TrackingView {
  first = 0
  second = 0
  third = 0
  readonly values: readonly unknown[]

  constructor(values: readonly unknown[]) {
    this.values = values
  }

  // One getter per policy. The getters of a word share their code, which engines optimize.
  static {
    for (const [index, id] of policyIds.entries()) {
      const bit = 1 << (index % bitsPerWord)
      const word = Math.floor(index / bitsPerWord)
      Object.defineProperty(TrackingView.prototype, id, { get: getter(word, index, bit) })
    }
  }
}

function getter(word: number, index: number, bit: number): (this: TrackingView) => unknown {
  if (word === 0) {
    return function (): unknown {
      this.first |= bit
      return this.values[index]
    }
  }
  if (word === 1) {
    return function (): unknown {
      this.second |= bit
      return this.values[index]
    }
  }
  return function (): unknown {
    this.third |= bit
    return this.values[index]
  }
}
