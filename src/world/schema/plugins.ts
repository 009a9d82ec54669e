import * as z from 'zod'
import { lengths, pluginTypes } from '../known.ts'
import type { ActivityJson, PluginConfigJson, PluginJson, RepositoryJson } from '../world-json.ts'
import { id, json, jsonObject, text, time, uuid, word } from './values.ts'

export const plugin: z.ZodType<PluginJson> = z.strictObject({
  id,
  plugin_type: word(...pluginTypes, 'inline').nullable(),
  name: text(lengths.plugin.name).nullable(),
  description: z.string().nullable(),
  url: text(lengths.plugin.url).nullable(),
  icon: text(lengths.plugin.icon).nullable(),
  config_schema: json,
  tag: text(lengths.plugin.tag).nullable(),
  latest_tag: text(lengths.plugin.latest_tag).nullable(),
  is_global: z.boolean(),
  organization: uuid,
  capabilities: json,
  metrics: json,
  public_jobs: json,
  source: jsonObject.exactOptional(),
  revision: z.int().min(0).exactOptional(),
})

export const pluginConfig: z.ZodType<PluginConfigJson> = z.strictObject({
  id,
  plugin: id,
  project: id,
  enabled: z.boolean(),
  order: z.int(),
  config: jsonObject,
  name: z.string().nullable().exactOptional(),
  description: z.string().nullable().exactOptional(),
  deleted: z.boolean().exactOptional(),
  created_at: time.exactOptional(),
  updated_at: time.exactOptional(),
})

const version = z.strictObject({ tag: z.string(), plugin_json: jsonObject, source: jsonObject })

export const repositoryEntry: z.ZodType<RepositoryJson> = z.strictObject({
  name: z.string(),
  url: z.string(),
  description: z.string(),
  verified: z.boolean(),
  maintainer: z.string(),
  icon: z.string().exactOptional(),
  displayOnWebsiteLib: z.boolean().exactOptional(),
  type: z.string().exactOptional(),
  imageLink: z.string().exactOptional(),
  versions: z.array(version).exactOptional(),
})

export const activity: z.ZodType<ActivityJson> = z.strictObject({
  id,
  user: id.nullable(),
  organization: uuid,
  project: id.nullable(),
  activity: z.string(),
  scope: z.string(),
  item_id: z.string(),
  detail: jsonObject.exactOptional(),
  created_at: time,
})
