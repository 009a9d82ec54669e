import type { SettingOverrides } from '../../src/settings/resolve.ts'
import { type SettingId, settingIds, settingsById } from '../../src/settings/setting.ts'
import type { Random } from '../support/random.ts'

/** Other values of some settings. */
export function someSettings(random: Random, count: number): SettingOverrides {
  const ids = Array.from({ length: count }, () => random.pick(settingIds))
  return Object.fromEntries(ids.map((id) => [id, someValue(id, random)]))
}

function someValue(id: SettingId, random: Random): string | number {
  const { values } = settingsById[id]
  if ('integer' in values)
    return id === 'limits.body' ? 40 + random.below(200) : 1 + random.below(6)
  return random.pick(Object.keys(values))
}
