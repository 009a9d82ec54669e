import type { Json } from '../../utils/json.ts'
import { type DeclaredFields, defineEntity } from './entity.ts'
import { field } from './field.ts'

/** An entry of the activity log of plugins. */
export interface ActivityRow {
  readonly id: number
  /** The id of a user. */
  readonly user: number | null
  /** The id of an organization. */
  readonly organization: string
  /** The current project of the user at that time. */
  readonly project: number | null
  /** installed, uninstalled, enabled, disabled, config_updated … */
  readonly activity: string
  readonly scope: string
  readonly item_id: string
  readonly detail: { [key: string]: Json }
  readonly created_at: string
}

export const activity = defineEntity({
  id: field.id(),
  user: field.reference('users').nullable(),
  organization: field.reference('organizations'),
  project: field
    .reference('projects')
    .nullable()
    .initial(({ defaults }) => defaults.project_id),
  activity: field.text(),
  scope: field.text().initial(() => 'Plugin'),
  item_id: field.text(),
  detail: field.object().default({}).optional(),
  created_at: field.time(),
} satisfies DeclaredFields<ActivityRow>)
