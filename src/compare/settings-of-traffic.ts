import { parseScenario } from '../scenarios/format/check-scenario.ts'
import type { Scenario } from '../scenarios/format/scenario.ts'
import {
  diffSettings,
  type Profile,
  profiles,
  resolveSettings,
  type SettingOverrides,
} from '../settings/resolve.ts'
import type { SettingId } from '../settings/setting.ts'
import { favours } from './differences.ts'
import { fitSettings } from './fit.ts'
import { RecordedEvidence } from './recorded.ts'

/** The settings with which a simulator answers most like a recorded service. */
interface TrafficSettings {
  readonly profile: Profile
  /** Those that differ from the profile */
  readonly settings: SettingOverrides
}

/** How many steps of traffic decide its settings. */
export const decidingSteps = 500

/**
 * Finds the nearest profile, and the values that differ from it because a response does.
 *
 * @param scenario its world is the one before the first request. Its own profile and values do not count
 * @throws UsageError for a scenario or a world with issues
 * @example const { profile, settings } = await settingsOfTraffic(scenario)
 */
export async function settingsOfTraffic(scenario: Scenario): Promise<TrafficSettings> {
  const steps = scenario.steps.slice(0, decidingSteps)
  const best = await fitSettings(new RecordedEvidence(parseScenario({ ...scenario, steps })))
  const [nearest] = profiles
    .map((profile) => ({ profile, changed: diffSettings(resolveSettings(profile), best.settings) }))
    .sort((one, other) => Object.keys(one.changed).length - Object.keys(other.changed).length)
  const { profile, changed } = nearest as NonNullable<typeof nearest>
  const base = resolveSettings(profile)
  const isShown = (id: SettingId): boolean =>
    best.answers.some(({ own, others }) => {
      const other = others.get(id)?.get(base[id])
      return own !== null && other !== undefined && favours(own, other)
    })
  const shown = Object.entries(changed).filter(([id]) => isShown(id as SettingId))
  return { profile, settings: Object.fromEntries(shown) }
}
