import type { SettingId, SettingValues } from './setting.ts'

/**
 * Notes which settings are read: those that a response depends on.
 *
 * @param reads gets the ids
 * @returns the same settings
 */
export function track(values: SettingValues, reads: Set<SettingId>): SettingValues {
  return new Proxy(values, {
    get(all, id: SettingId) {
      reads.add(id)
      return all[id]
    },
  })
}
