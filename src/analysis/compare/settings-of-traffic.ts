import {
  diffPolicies,
  type PolicyOverrides,
  type Profile,
  profiles,
  resolvePolicies,
} from '../../policies/settings.ts'
import { parseScenario } from '../../scenarios/format/check-scenario.ts'
import type { Scenario } from '../../scenarios/format/scenario.ts'
import { settingsOf } from './run.ts'
import { Search } from './search.ts'
import { StepJudge } from './step-judge.ts'
import { StepScript } from './step-script.ts'

/** The settings with which a simulator answers most like a recorded service. */
interface TrafficSettings {
  readonly profile: Profile
  /** Those that differ from the profile */
  readonly policies: PolicyOverrides
}

/** How many steps of traffic decide its settings. */
export const decidingSteps = 500

/**
 * Finds the nearest profile, and the settings that differ from it because a response does.
 *
 * @param scenario its world is the one before the first request. Its own profile and settings do not count
 * @throws UsageError for a scenario or a world with issues
 * @example const { profile, policies } = await settingsOfTraffic(scenario)
 */
export async function settingsOfTraffic(scenario: Scenario): Promise<TrafficSettings> {
  const parsed = parseScenario({ ...scenario, steps: scenario.steps.slice(0, decidingSteps) })
  const options = { undoesRefused: true, keepsSettings: false, possible: new Map() }
  const search = new Search(new StepJudge(new StepScript(parsed, options)))
  const settings = settingsOf((await search.climb()).hypothesis)
  const [nearest] = profiles
    .map((profile) => ({ profile, policies: diffPolicies(resolvePolicies(profile), settings) }))
    .sort((one, other) => Object.keys(one.policies).length - Object.keys(other.policies).length)
  return nearest as TrafficSettings
}
