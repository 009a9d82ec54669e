import type { PolicyId, PolicySetting, PolicySettings } from './policies.ts'
import { settingRanges } from './setting-ranges.ts'

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
