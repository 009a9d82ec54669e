import { unknownWord } from '../utils/usage-error.ts'
import { policies } from './policies.ts'
import type { Policy } from './policy.ts'
import type { PolicyOverrides } from './settings.ts'

/** Lists the months that policies have values of, the earliest first. @example asOfDates() // ['2024-05', '2024-07'] */
export function asOfDates(table: Readonly<Record<string, Policy>> = policies): string[] {
  const values = Object.values(table).flatMap((policy) => Object.values(policy.values))
  return [...new Set(values.flatMap(({ since }) => since ?? []))].sort()
}

/**
 * Finds the settings of the API as it was in a month: of each policy with dated values, the latest one until then.
 * A new date needs only a value with another `since`.
 *
 * @param date a month such as `2024-05`; without one, no policy is set
 * @throws UsageError for a month that no policy has a value of
 * @example createSimulator({ policies: asOfPolicies('2024-07') })
 */
export function asOfPolicies(
  date?: string,
  table: Readonly<Record<string, Policy>> = policies,
): PolicyOverrides {
  if (date === undefined) return {}
  const dates = asOfDates(table)
  if (!dates.includes(date)) throw unknownWord('choose a date of the API', dates, date, 'asOf')
  const settings: Record<string, string> = {}
  for (const month of dates.slice(0, dates.indexOf(date) + 1)) {
    for (const [id, { values }] of Object.entries(table)) {
      for (const [value, { since }] of Object.entries(values)) {
        if (since === month) settings[id] = value
      }
    }
  }
  return settings
}

/** Adds the settings of a month to the policies of options, which override them. @throws UsageError for an unknown month */
export function withAsOf<O extends { readonly policies?: PolicyOverrides | undefined }>(
  options: O,
  asOf: string | undefined,
): O {
  if (asOf === undefined) return options
  return { ...options, policies: { ...asOfPolicies(asOf), ...options.policies } }
}
