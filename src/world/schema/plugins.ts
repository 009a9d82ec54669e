import * as z from 'zod'
import type { ActivityRow, PluginConfigRow, PluginRow, RepositoryRow } from '../rows.ts'
import { id, json, jsonObject, text, time, uuid } from './values.ts'

export const plugin: z.ZodType<PluginRow> = z.strictObject({
  id,
  plugin_type: z.enum(['local', 'custom', 'repository', 'source', 'inline', '']).nullable(),
  name: text(200).nullable(),
  description: z.string().nullable(),
  url: text(800).nullable(),
  icon: text(800).nullable(),
  config_schema: json,
  tag: text(200).nullable(),
  latest_tag: text(800).nullable(),
  is_global: z.boolean(),
  organization: uuid,
  capabilities: json,
  metrics: json,
  public_jobs: json,
  source: jsonObject.default({}),
  revision: z.int().min(0).default(0),
})

const longAgo = '2024-01-01T00:00:00Z'

export const pluginConfig: z.ZodType<PluginConfigRow> = z.strictObject({
  id,
  plugin: id,
  project: id,
  enabled: z.boolean(),
  order: z.int(),
  config: jsonObject,
  name: z.string().nullable().default(null),
  description: z.string().nullable().default(null),
  deleted: z.boolean().default(false),
  created_at: time.default(longAgo),
  updated_at: time.default(longAgo),
})

const version = z.strictObject({ tag: z.string(), plugin_json: jsonObject, source: jsonObject })

/** The fields that only later catalogues have go into `extra`. */
export const repositoryEntry: z.ZodType<Omit<RepositoryRow, 'id'>> = z
  .strictObject({
    name: z.string(),
    url: z.string(),
    description: z.string(),
    verified: z.boolean(),
    maintainer: z.string(),
    icon: z.string().optional(),
    displayOnWebsiteLib: z.boolean().optional(),
    type: z.string().optional(),
    imageLink: z.string().optional(),
    versions: z.array(version).default([]),
  })
  .transform(({ name, url, description, verified, maintainer, versions, ...extra }) => ({
    name,
    url,
    description,
    verified,
    maintainer,
    versions,
    extra: extra as RepositoryRow['extra'],
  }))

export const activity: z.ZodType<ActivityRow> = z.strictObject({
  id,
  user: id.nullable(),
  organization: uuid,
  project: id.nullable(),
  activity: z.string(),
  scope: z.string(),
  item_id: z.string(),
  detail: jsonObject.default({}),
  created_at: time,
})
