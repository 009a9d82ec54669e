/**
 * A set of settings. `documented` follows the documentation, and where it does not say, mostly what the live service does.
 * `live` follows the live service.
 */
export type Profile = (typeof profiles)[number]

export const profiles = ['documented', 'live'] as const

/** The values of a setting in the profiles: `default` is that of `documented`, and of `live` where it does not differ. */
interface ProfileValues {
  readonly default: string | number
  readonly live?: string | number
}

export function valueIn(
  profile: Profile,
  { default: documented, live = documented }: ProfileValues,
): string | number {
  return profile === 'live' ? live : documented
}

/** The profile that fewer settings differ from, and these settings. The dashboard has no other facts of settings. */
export function nearestProfile<Setting extends ProfileValues & { readonly value: unknown }>(
  settings: readonly Setting[],
): { readonly profile: Profile; readonly changed: readonly Setting[] } {
  const changedFrom = (profile: Profile) =>
    settings.filter((setting) => setting.value !== valueIn(profile, setting))
  const [documented, live] = [changedFrom('documented'), changedFrom('live')]
  const isLive = live.length < documented.length
  return { profile: isLive ? 'live' : 'documented', changed: isLive ? live : documented }
}
