import * as z from 'zod'
import { formatVersion } from '../format-version.ts'
import { annotationScopes, creationTypes, lengths } from '../known.ts'
import type { AnnotationJson, WorldJson } from '../world-json.ts'
import { dashboardItem, key, organization, project, user } from './people.ts'
import { activity, plugin, pluginConfig, repositoryEntry } from './plugins.ts'
import { highestId, id, text, time, word } from './values.ts'

export const annotation: z.ZodType<AnnotationJson> = z.strictObject({
  id,
  content: text(lengths.annotation.content).nullable(),
  date_marker: time.nullable(),
  creation_type: word(...creationTypes),
  dashboard_item: id.nullable(),
  created_by: id.nullable(),
  created_at: time.nullable(),
  updated_at: time,
  deleted: z.boolean(),
  scope: word(...annotationScopes),
  project: id,
})

const count = z.int().min(0).max(highestId).exactOptional()
const counts = z.strictObject({
  projects: count,
  users: count,
  dashboard_items: count,
  plugins: count,
  plugin_configs: count,
  annotations: count,
  activity: count,
})

/** The world format. */
export const worldSchema: z.ZodType<WorldJson> = z.strictObject({
  $schema: z.string().exactOptional(),
  format_version: z.int().min(1).max(formatVersion).exactOptional(),
  now: time.exactOptional(),
  seed: z.int().exactOptional(),
  generate: counts.extend({ organizations: count }).exactOptional(),
  next_ids: counts.exactOptional(),
  issued_keys: z.int().min(0).max(highestId).exactOptional(),
  organizations: z.array(organization).exactOptional(),
  projects: z.array(project).exactOptional(),
  users: z.array(user).exactOptional(),
  keys: z.array(key).exactOptional(),
  dashboard_items: z.array(dashboardItem).exactOptional(),
  repository: z.array(repositoryEntry).exactOptional(),
  plugins: z.array(plugin).exactOptional(),
  plugin_configs: z.array(pluginConfig).exactOptional(),
  annotations: z.array(annotation).exactOptional(),
  activity: z.array(activity).exactOptional(),
})
