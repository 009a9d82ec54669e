import { parseScenario } from '../scenarios/format/check-scenario.ts'
import type { Scenario } from '../scenarios/format/scenario.ts'
import type { Profile } from '../settings/profiles.ts'
import { resolveSettings, type SettingOverrides, toProfile } from '../settings/resolve.ts'
import type { SettingId } from '../settings/setting.ts'
import { favours } from './answer-differences.ts'
import { fitSettings } from './fit-settings.ts'
import { RecordedAnswers } from './recorded-answers.ts'

/** The settings with which a simulator answers most like a recorded service. */
export interface TrafficSettings {
  readonly profile: Profile
  /** Those that differ from the profile */
  readonly settings: SettingOverrides
}

/** Settings that were found, and how many responses show each value that differs from the profile. */
export interface FoundSettings extends TrafficSettings {
  readonly responses: Readonly<Record<string, number>>
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
export async function settingsOfTraffic(scenario: Scenario): Promise<FoundSettings> {
  const steps = scenario.steps.slice(0, decidingSteps)
  const recorded = new RecordedAnswers(parseScenario({ ...scenario, steps }))
  const usual = await recorded.compare(
    { settings: resolveSettings('documented'), world: {} },
    false,
  )
  // No other settings can answer more like the service.
  if (usual.every(({ differences }) => !differences?.size))
    return { profile: 'documented', settings: {}, responses: {} }
  const best = await fitSettings(recorded)
  const { profile, settings: changed } = toProfile(best.settings)
  const base = resolveSettings(profile)
  const responsesOf = (id: SettingId): number =>
    best.answers.filter(({ differences, withOthers }) => {
      const changed = withOthers.get(id)?.get(base[id])
      return differences !== null && changed !== undefined && favours(differences, changed)
    }).length
  const found = Object.entries(changed)
    .map(([id, value]) => ({ id, value, responses: responsesOf(id as SettingId) }))
    .filter(({ responses }) => responses > 0)
  return {
    profile,
    settings: Object.fromEntries(found.map(({ id, value }) => [id, value])),
    responses: Object.fromEntries(found.map(({ id, responses }) => [id, responses])),
  }
}
