import { parseScenario } from '../../scenarios/format/check-scenario.ts'
import type { Scenario } from '../../scenarios/format/scenario.ts'
import {
  diffSettings,
  type Profile,
  profiles,
  resolveSettings,
  type SettingOverrides,
} from '../../settings/resolve.ts'
import type { SettingId, SettingValues } from '../../settings/setting.ts'
import { settingsOf } from './hypothesis.ts'
import { Judge } from './judge.ts'
import { RecordedEvidence } from './recorded.ts'
import { Script } from './script.ts'
import { Search } from './search.ts'

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
  const script = new Script(parsed, { undoesRefused: true })
  const search = new Search(new Judge(new RecordedEvidence(script)))
  const best = await search.climb()
  const [nearest] = profiles
    .map((profile) => {
      const base = resolveSettings(profile)
      return { profile, base, settings: diffSettings(base, settingsOf(best.hypothesis)) }
    })
    .sort((one, other) => Object.keys(one.settings).length - Object.keys(other.settings).length)
  const { profile, base, settings } = nearest as TrafficSettings & { base: SettingValues }
  /** Whether a response favours a value over that of the profile. */
  const isShown = async (id: SettingId): Promise<boolean> => {
    const other = await search.runWith({ [id]: base[id] })
    for (let at = 0; at < best.length; at += 1) {
      if (await search.judge.favours(at, best, other)) return true
    }
    return false
  }
  const shown: [string, unknown][] = []
  for (const entry of Object.entries(settings)) {
    if (await isShown(entry[0] as SettingId)) shown.push(entry)
  }
  return { profile, settings: Object.fromEntries(shown) }
}
