import { overrideSettings, resolveSettings } from '../../settings/resolve.ts'
import type { SettingValues } from '../../settings/setting.ts'

/** The settings of a simulator, and by names that begin with `world.`, which of the possible worlds it has. */
export type Hypothesis = Readonly<Record<string, string | number>>

/**
 * The settings of a hypothesis.
 *
 * @param others the values of those that it says nothing about
 * @throws UsageError for an unknown setting or value
 */
export function settingsOf(hypothesis: Hypothesis, others = resolveSettings()): SettingValues {
  const settings = Object.entries(hypothesis).filter(([id]) => !isWorld(id))
  return overrideSettings(others, Object.fromEntries(settings))
}

/** The world of a hypothesis, as a text. */
export function worldOf(hypothesis: Hypothesis): string {
  const world = Object.entries(hypothesis).filter(([id]) => isWorld(id))
  return JSON.stringify(world.sort(([one], [other]) => (one < other ? -1 : 1)))
}

function isWorld(id: string): boolean {
  return id.startsWith('world.')
}
