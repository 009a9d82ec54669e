import * as z from 'zod'
import { annotationScopes, creationTypes, formatVersion, maxLengths } from '../world-format.ts'
import type { AnnotationJson, WorldJson } from '../world-json.ts'
import { enumSchema, idSchema, maxId, textSchema, timeSchema } from './field-schemas.ts'
import {
  activitySchema,
  dashboardItemSchema,
  keySchema,
  organizationSchema,
  pluginConfigSchema,
  pluginSchema,
  projectSchema,
  repositoryEntrySchema,
  userSchema,
} from './row-schemas.ts'

export const annotationSchema: z.ZodType<AnnotationJson> = z.strictObject({
  id: idSchema,
  content: textSchema(maxLengths.annotation.content).nullable(),
  date_marker: timeSchema.nullable(),
  creation_type: enumSchema(...creationTypes),
  dashboard_item: idSchema.nullable(),
  created_by: idSchema.nullable(),
  created_at: timeSchema.nullable(),
  updated_at: timeSchema,
  deleted: z.boolean(),
  scope: enumSchema(...annotationScopes),
  project: idSchema,
})

const countSchema = z.int().min(0).max(maxId).exactOptional()
const listCountsSchema = z.strictObject({
  projects: countSchema,
  users: countSchema,
  dashboard_items: countSchema,
  plugins: countSchema,
  plugin_configs: countSchema,
  annotations: countSchema,
  activity: countSchema,
})

/** The world format. */
export const worldSchema: z.ZodType<WorldJson> = z.strictObject({
  $schema: z.string().exactOptional(),
  format_version: z.int().min(1).max(formatVersion).exactOptional(),
  now: timeSchema.exactOptional(),
  seed: z.int().exactOptional(),
  generate: listCountsSchema.extend({ organizations: countSchema }).exactOptional(),
  next_ids: listCountsSchema.exactOptional(),
  issued_keys: z.int().min(0).max(maxId).exactOptional(),
  organizations: z.array(organizationSchema).exactOptional(),
  projects: z.array(projectSchema).exactOptional(),
  users: z.array(userSchema).exactOptional(),
  keys: z.array(keySchema).exactOptional(),
  dashboard_items: z.array(dashboardItemSchema).exactOptional(),
  repository: z.array(repositoryEntrySchema).exactOptional(),
  plugins: z.array(pluginSchema).exactOptional(),
  plugin_configs: z.array(pluginConfigSchema).exactOptional(),
  annotations: z.array(annotationSchema).exactOptional(),
  activity: z.array(activitySchema).exactOptional(),
})
