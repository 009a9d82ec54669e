import * as z from 'zod'
import { maxLengths, pluginTypes } from '../known.ts'
import type { ActivityJson, PluginConfigJson, PluginJson, RepositoryJson } from '../world-json.ts'
import {
  enumSchema,
  idSchema,
  jsonObjectSchema,
  jsonValueSchema,
  textSchema,
  timeSchema,
  uuidSchema,
} from './values.ts'

export const pluginSchema: z.ZodType<PluginJson> = z.strictObject({
  id: idSchema,
  plugin_type: enumSchema(...pluginTypes, 'inline').nullable(),
  name: textSchema(maxLengths.plugin.name).nullable(),
  description: z.string().nullable(),
  url: textSchema(maxLengths.plugin.url).nullable(),
  icon: textSchema(maxLengths.plugin.icon).nullable(),
  config_schema: jsonValueSchema,
  tag: textSchema(maxLengths.plugin.tag).nullable(),
  latest_tag: textSchema(maxLengths.plugin.latest_tag).nullable(),
  is_global: z.boolean(),
  organization: uuidSchema,
  capabilities: jsonValueSchema,
  metrics: jsonValueSchema,
  public_jobs: jsonValueSchema,
  source: jsonObjectSchema.exactOptional(),
  revision: z.int().min(0).exactOptional(),
})

export const pluginConfigSchema: z.ZodType<PluginConfigJson> = z.strictObject({
  id: idSchema,
  plugin: idSchema,
  project: idSchema,
  enabled: z.boolean(),
  order: z.int(),
  config: jsonObjectSchema,
  name: z.string().nullable().exactOptional(),
  description: z.string().nullable().exactOptional(),
  deleted: z.boolean().exactOptional(),
  created_at: timeSchema.exactOptional(),
  updated_at: timeSchema.exactOptional(),
})

const pluginVersionSchema = z.strictObject({
  tag: z.string(),
  plugin_json: jsonObjectSchema,
  source: jsonObjectSchema,
})

export const repositoryEntrySchema: z.ZodType<RepositoryJson> = z.strictObject({
  name: z.string(),
  url: z.string(),
  description: z.string(),
  verified: z.boolean(),
  maintainer: z.string(),
  icon: z.string().exactOptional(),
  displayOnWebsiteLib: z.boolean().exactOptional(),
  type: z.string().exactOptional(),
  imageLink: z.string().exactOptional(),
  versions: z.array(pluginVersionSchema).exactOptional(),
})

export const activitySchema: z.ZodType<ActivityJson> = z.strictObject({
  id: idSchema,
  user: idSchema.nullable(),
  organization: uuidSchema,
  project: idSchema.nullable(),
  activity: z.string(),
  scope: z.string(),
  item_id: z.string(),
  detail: jsonObjectSchema.exactOptional(),
  created_at: timeSchema,
})
