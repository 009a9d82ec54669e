import type { Json } from '../../utils/json.ts'
import { defineEntity, type FieldTable } from './field.ts'

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
  readonly detail: { [key: string]: Json | undefined }
  readonly created_at: string
}

export const activity = defineEntity({
  id: { kind: 'id' },
  user: { kind: 'reference', list: 'users', nullable: true },
  organization: { kind: 'reference', list: 'organizations' },
  project: {
    kind: 'reference',
    list: 'projects',
    nullable: true,
    usual: ({ defaults }) => defaults.project_id,
  },
  activity: { kind: 'text' },
  scope: { kind: 'text', usual: 'Plugin' },
  item_id: { kind: 'text' },
  detail: { kind: 'object', inFiles: 'maybe', usual: {} },
  created_at: { kind: 'time' },
} satisfies FieldTable<ActivityRow>)
