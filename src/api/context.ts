import type { SettingValues } from '../settings/setting.ts'
import type { Clock } from '../world/clock/clock.ts'
import type { Tables } from '../world/tables.ts'

/** The state that operations read and write. A reset or a restore replaces its tables. */
export interface ApiContext {
  readonly tables: Tables
  readonly settings: SettingValues
  readonly clock: Clock
}
