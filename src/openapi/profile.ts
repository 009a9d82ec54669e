import { type PolicySettings, policyIds } from '../policies/policies.ts'
import { profiles, resolvePolicies } from '../policies/settings.ts'

/** In words, how the settings were come by: the profile nearest to them, and what differs from it. */
export function describeProfile(settings: PolicySettings): string {
  const [nearest] = profiles
    .map((profile) => ({
      profile,
      differing: differingPolicies(settings, resolvePolicies(profile)),
    }))
    .sort((a, b) => a.differing.length - b.differing.length)
  const { profile = '', differing = [] } = nearest ?? {}
  const but = differing.map((id) => `\`${id}\` set to \`${settings[id]}\``).join(', ')
  return `This is the profile \`${profile}\`${but ? `, but for ${but}` : ''}.`
}

function differingPolicies(
  settings: PolicySettings,
  others: PolicySettings,
): (keyof PolicySettings)[] {
  return policyIds.filter((id) => settings[id] !== others[id])
}
