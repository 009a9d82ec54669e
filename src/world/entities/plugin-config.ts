import type { Json } from '../../utils/json.ts'
import { type DeclaredFields, defineEntity } from './entity.ts'
import { field } from './field.ts'

/** The configuration of a plugin in a project. */
export interface PluginConfigRow {
  readonly id: number
  /** The id of a plugin. */
  readonly plugin: number
  /** The id of a project. */
  readonly project: number
  /** A plugin without an enabled configuration is unused. */
  readonly enabled: boolean
  readonly order: number
  readonly config: { [key: string]: Json }
  readonly name: string | null
  readonly description: string | null
  readonly deleted: boolean
  readonly created_at: string
  readonly updated_at: string
}

export const pluginConfig = defineEntity({
  id: field.id(),
  plugin: field.reference('plugins'),
  project: field.reference('projects'),
  enabled: field.flag().initial(() => true),
  order: field.integer().initial(() => 1),
  config: field.object().default({}),
  name: field.text().nullable().optional(),
  description: field.text().nullable().optional(),
  deleted: field.flag().default(false).optional(),
  created_at: field.time().default('2024-01-01T00:00:00Z').optional(),
  updated_at: field
    .time()
    .default(({ created_at }: Pick<PluginConfigRow, 'created_at'>) => created_at)
    .optional(),
} satisfies DeclaredFields<PluginConfigRow>)
