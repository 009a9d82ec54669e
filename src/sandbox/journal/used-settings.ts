import { findRoute } from '../../api/find-route.ts'
import { TrackedValues } from '../../settings/by-setting.ts'
import { describeValue, type SettingId, settingIds } from '../../settings/setting.ts'
import type { JournalSetting } from './entry.ts'
import type { JournalRecord } from './journal.ts'

/** Lists the settings that a response depends on, with their values at the time of the request. */
export function usedSettings(record: JournalRecord): JournalSetting[] {
  return listUsedSettings(record).map((id) => {
    const value = record.settings[id]
    const { evidence, source } = describeValue(id, value)
    return { id, value, evidence, source }
  })
}

/** The ids of the settings that a response depends on. */
export function listUsedSettings(record: JournalRecord): readonly SettingId[] {
  const reads = new Set([...record.settingReads, ...routingSettings(record)])
  return settingIds.filter((id) => reads.has(id))
}

/**
 * The settings that were read to find the route. They are read again here, since reads cannot be tracked at that time:
 * other requests are handled while a body arrives.
 */
function routingSettings(record: JournalRecord): readonly SettingId[] {
  const tracker = new TrackedValues(record.settings)
  findRoute(record, tracker.settings)
  // Reading the property is what tracks it.
  if (record.requestBody !== null) void tracker.settings['limits.body']
  return tracker.takeReads()
}
