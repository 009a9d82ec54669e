import { type PolicyId, type PolicySetting, type PolicySettings, policies } from './policies.ts'

/** A value for each setting of a policy, of which a world's settings pick one at each call. */
export interface ByPolicy<Choices> {
  readonly policy: PolicyId
  readonly choices: Choices
}

/** A value, or one for each setting of a policy. */
export type Resolvable<T> = T | ByPolicy<Readonly<Record<string, T>>>

/**
 * Leaves a part of an endpoint to a policy. Without choices it is what the policy is set to.
 *
 * @example scope: byPolicy('projects.list.scope')
 * @example enabled: byPolicy('methods.put', { off: false, on: true })
 */
export function byPolicy<Id extends PolicyId>(
  policy: Id,
): ByPolicy<{ readonly [Setting in PolicySetting<Id> & string]: Setting }>
export function byPolicy<
  Id extends PolicyId,
  Choices extends Readonly<Record<PolicySetting<Id> & string, unknown>>,
>(policy: Id, choices: Choices): ByPolicy<Choices>
export function byPolicy(policy: PolicyId, choices?: object): ByPolicy<object> {
  const { values } = policies[policy]
  const words = Object.keys(values).map((word) => [word, word])
  return { policy, choices: choices ?? Object.fromEntries(words) }
}

/** Picks what the settings say: `resolve(endpoint.status, settings)`. */
export function resolveByPolicy<T>(value: Resolvable<T>, settings: PolicySettings): T {
  return isByPolicy(value) ? (value.choices[settings[value.policy]] as T) : value
}

/** What a value can come out as: itself, or each choice. Documents and laws walk this. */
export function possibleValues<T>(value: Resolvable<T>): readonly T[] {
  return isByPolicy(value) ? Object.values(value.choices) : [value]
}

/** Whether a value is left to a policy. */
export function isByPolicy<T>(
  value: Resolvable<T>,
): value is ByPolicy<Readonly<Record<string, T>>> {
  return typeof value === 'object' && value !== null && 'policy' in value && 'choices' in value
}
