import * as z from 'zod'
import { worldLists } from '../table/lists.ts'
import { formatVersion } from '../world-format.ts'
import type { WorldJson } from '../world-json.ts'
import { maxId, timeSchema } from './field-schemas.ts'
import { rowSchemas } from './row-schemas.ts'

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

/** The schema of a world file. */
export const worldSchema: z.ZodType<WorldJson> = z.strictObject({
  $schema: z.string().exactOptional(),
  format_version: z.int().min(1).max(formatVersion).exactOptional(),
  now: timeSchema.exactOptional(),
  seed: z.int().exactOptional(),
  generate: listCountsSchema.extend({ organizations: countSchema }).exactOptional(),
  next_ids: listCountsSchema.exactOptional(),
  issued_keys: countSchema,
  ...Object.fromEntries(
    worldLists.map((list) => [list, z.array(rowSchemas[list]).exactOptional()]),
  ),
})
