import type { SettingValues } from '../settings/setting.ts'
import { UsageError } from '../utils/errors.ts'
import { findFullAccess } from './rows.ts'
import type { Tables } from './tables.ts'

/** The key, project and organization for a first request. */
export interface Defaults {
  /** The first key with full access; with `live`, one whose scopes are null comes first. Without any, the first key. @throws UsageError without a key */
  readonly key: string
  /** The lowest id of a project. @throws UsageError if the world has no project */
  readonly project_id: number
  /**
   * UUID of that project's organization, or of the first organization.
   *
   * @throws UsageError if the world has no organization
   */
  readonly organization_id: string
}

/** Creates defaults that always read the current tables, because a reset replaces them. */
export function createDefaults(state: {
  readonly tables: Tables
  readonly settings?: SettingValues
  readonly unchanged?: Partial<SettingValues>
}): Defaults {
  const first = <Row>(rows: Iterable<Row>, list: string) => {
    for (const row of rows) return row
    throw new UsageError(`Failed to choose a default: the world has no ${list}. Add one.`)
  }
  return {
    get key() {
      const keys = [...state.tables.keys.values()]
      const settings = { ...state.settings, ...state.unchanged }
      return (findFullAccess(keys, settings) ?? first(keys, 'keys')).value
    },
    get project_id() {
      return first(state.tables.projects.values(), 'projects').id
    },
    get organization_id() {
      const { organizations, projects } = state.tables
      for (const { organization } of projects.values()) return organization
      return first(organizations.values(), 'organizations').id
    },
  }
}
