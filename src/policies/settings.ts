import { unexpectedValue, unknownWord } from '../utils/usage-error.ts'
import {
  type OtherValue,
  type PolicyId,
  type PolicySettings,
  policies,
  policyIds,
} from './policies.ts'

/**
 * A set of policies. `documented` follows the documentation, and what the live service does where the documentation does
 * not say. `live` follows the live service.
 */
export type Profile = 'documented' | 'live'

export const profiles: readonly Profile[] = ['documented', 'live']

/** Settings of some policies. A numeric setting can be a number: `{ 'annotations.delete.status': 403 }`. */
export type PolicyOverrides = {
  readonly [Id in PolicyId]?:
    | PolicySettings[Id]
    | `${PolicySettings[Id]}`
    | NumberOf<PolicySettings[Id]>
}

type NumberOf<Setting> = Setting extends `${infer Number extends number}` ? Number : never

/**
 * Resolves the settings of all policies from a profile and overrides.
 *
 * @throws UsageError for an unknown profile, policy or value
 */
export function resolvePolicies(
  profile: string = 'documented',
  overrides: PolicyOverrides = {},
): PolicySettings {
  if (!profiles.includes(profile as Profile)) {
    throw unknownWord('choose a profile', profiles, profile, 'profile')
  }
  const settings = policyIds.map((id) => [id, policies[id][profile as Profile]])
  return overridePolicies(Object.fromEntries(settings) as PolicySettings, overrides)
}

/**
 * Returns a copy of the settings with overrides; without any, the settings themselves.
 *
 * @throws UsageError for an unknown policy or value
 */
export function overridePolicies(
  settings: PolicySettings,
  overrides: PolicyOverrides,
): PolicySettings {
  if (typeof overrides !== 'object' || overrides === null) {
    throw unexpectedValue('set policies', 'an object of settings by policy id', overrides)
  }
  const changes = Object.entries(overrides).filter(([, value]) => value !== undefined)
  const checked = changes.map(([id, value]) => [id, checkSetting(id, value)])
  return checked.length === 0 ? settings : { ...settings, ...Object.fromEntries(checked) }
}

/** Checks a setting and converts it: for a policy of whole numbers, `'4096'` becomes 4096. */
function checkSetting(id: string, value: string | number): string | number {
  if (!Object.hasOwn(policies, id)) {
    const expected = 'the id of a policy (npx understudy-api policies lists them)'
    throw unknownWord('set a policy', policyIds, id, id, expected)
  }
  const { values } = policies[id as PolicyId]
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

/** The values as settings, for an option `policies`. */
export function toOverrides(values: Iterable<OtherValue>): PolicyOverrides {
  return Object.fromEntries([...values].map(({ id, value }) => [id, value]))
}

/** The settings of `after` that differ from those of `before`. */
export function diffPolicies(before: PolicySettings, after: PolicySettings): PolicyOverrides {
  if (before === after) return {}
  const old: Readonly<Record<string, unknown>> = before
  return Object.fromEntries(Object.entries(after).filter(([id, value]) => old[id] !== value))
}
