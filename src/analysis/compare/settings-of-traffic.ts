import { parseScenario } from '../../scenarios/format/check-scenario.ts'
import type { Scenario } from '../../scenarios/format/scenario.ts'
import {
  diffSettings,
  type Profile,
  profiles,
  resolveSettings,
  type SettingOverrides,
} from '../../settings/resolve.ts'
import { settingsOf } from './run.ts'
import { Search } from './search.ts'
import { StepJudge } from './step-judge.ts'
import { StepScript } from './step-script.ts'

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
  const parsed = parseScenario({ ...scenario, steps: scenario.steps.slice(0, decidingSteps) })
  const options = { undoesRefused: true, keepsSettings: false, possible: new Map() }
  const search = new Search(new StepJudge(new StepScript(parsed, options)))
  const settings = settingsOf((await search.climb()).hypothesis)
  const [nearest] = profiles
    .map((profile) => ({ profile, settings: diffSettings(resolveSettings(profile), settings) }))
    .sort((one, other) => Object.keys(one.settings).length - Object.keys(other.settings).length)
  return nearest as TrafficSettings
}
