import * as z from 'zod'
import type { RepositoryRow } from '../rows.ts'
import type { Rows } from '../tables.ts'
import type { AnnotationJson, CountedList } from '../world-json.ts'
import { dashboardItem, key, organization, project, user } from './people.ts'
import { activity, plugin, pluginConfig, repositoryEntry } from './plugins.ts'
import { id, text, time } from './values.ts'

export const annotation: z.ZodType<AnnotationJson> = z.strictObject({
  id,
  content: text(400).nullable(),
  date_marker: time.nullable(),
  creation_type: z.enum(['USR', 'GIT']),
  dashboard_item: id.nullable(),
  created_by: id.nullable(),
  created_at: time.nullable(),
  updated_at: time,
  deleted: z.boolean(),
  scope: z.enum(['dashboard_item', 'dashboard', 'project', 'organization', 'recording', 'tag']),
  project: id,
})

const count = z.int().min(0).optional()
const counts = z.strictObject({
  projects: count,
  users: count,
  dashboard_items: count,
  plugins: count,
  plugin_configs: count,
  annotations: count,
  activity: count,
})

/** A world whose rows are complete. */
export interface ParsedWorld extends Omit<Rows, 'annotations' | 'repository'> {
  readonly annotations: readonly AnnotationJson[]
  readonly repository: readonly Omit<RepositoryRow, 'id'>[]
  readonly now?: string | undefined
  readonly seed: number
  readonly generate?: unknown
  readonly next_ids: { readonly [List in CountedList]?: number | undefined }
}

/** The world format; every default is filled in by parsing. */
export const worldSchema: z.ZodType<ParsedWorld> = z.strictObject({
  $schema: z.string().optional(),
  now: time.optional(),
  seed: z.int().default(1),
  generate: counts.extend({ organizations: count }).optional(),
  next_ids: counts.default({}),
  organizations: z.array(organization).default([]),
  projects: z.array(project).default([]),
  users: z.array(user).default([]),
  keys: z.array(key).default([]),
  dashboard_items: z.array(dashboardItem).default([]),
  repository: z.array(repositoryEntry).default([]),
  plugins: z.array(plugin).default([]),
  plugin_configs: z.array(pluginConfig).default([]),
  annotations: z.array(annotation).default([]),
  activity: z.array(activity).default([]),
})
