import { type PolicyId, type PolicySetting, type PolicySettings, policyIds } from './policies.ts'

export interface ByPolicy<Choices> {
  readonly policy: PolicyId
  readonly choices: Choices
}

/** A value, or one for each setting of a policy. */
export type Resolvable<T> = T | ByPolicy<Readonly<Record<string, T>>>

/** Lets a policy decide a part of an endpoint. @param choices a value for each setting */
export function byPolicy<
  Id extends PolicyId,
  Choices extends Readonly<Record<PolicySetting<Id> & string, unknown>>,
>(policy: Id, choices: Choices): ByPolicy<Choices> {
  return { policy, choices }
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
  return (value as Partial<ByPolicy<object>> | null | undefined)?.choices !== undefined
}

/** Settings that remember which policies are read, so that the journal can list the policies of a response. */
export class TrackedSettings {
  readonly settings: PolicySettings
  /** The same settings, for reads that are not remembered. */
  readonly untracked: PolicySettings
  readonly #reads = new Set<PolicyId>()

  constructor(settings: PolicySettings) {
    this.untracked = settings
    this.settings = new RememberingSettings(settings, this.#reads) as unknown as PolicySettings
  }

  /** Returns the policies that were read since the last call. */
  takeReads(): readonly PolicyId[] {
    const reads = [...this.#reads]
    this.#reads.clear()
    return reads
  }
}

/** Has a getter for each policy. They are on the prototype, so that thousands of sandboxes share them. */
class RememberingSettings {
  readonly values: PolicySettings
  readonly reads: Set<PolicyId>

  constructor(values: PolicySettings, reads: Set<PolicyId>) {
    this.values = values
    this.reads = reads
  }

  static {
    for (const id of policyIds) {
      Object.defineProperty(RememberingSettings.prototype, id, {
        get(this: RememberingSettings) {
          this.reads.add(id)
          return this.values[id]
        },
      })
    }
  }
}
