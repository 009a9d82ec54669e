import * as z from 'zod'
import { dashboardItem, key, organization, project, user } from '../world/schema/people.ts'
import { activity, plugin, pluginConfig, repositoryEntry } from '../world/schema/plugins.ts'
import { annotation } from '../world/schema/world.ts'
import { worldLists } from '../world/world-lists.ts'
import type { AddedIds, NewRows } from './new-rows.ts'

/** Rows to add, list by list; of a row any field may be missing. */
export const newRows: z.ZodType<NewRows> = z.strictObject({
  organizations: some(organization),
  projects: some(project),
  users: some(user),
  keys: some(key),
  dashboard_items: some(dashboardItem),
  repository: z.array(repositoryEntry).exactOptional(),
  plugins: some(plugin),
  plugin_configs: some(pluginConfig),
  annotations: some(annotation),
  activity: some(activity),
}) as unknown as z.ZodType<NewRows>

/** Lists of rows, whatever is in them: each row is checked when it is added. */
export const rowLists: z.ZodType<NewRows> = z.strictObject(
  Object.fromEntries(worldLists.map((list) => [list, z.array(z.looseObject({})).optional()])),
) as unknown as z.ZodType<NewRows>

/** The ids of rows that were added, list by list. */
export const addedIds: z.ZodType<AddedIds> = z.record(
  z.string(),
  z.array(z.union([z.int(), z.string()])),
)

function some(row: z.ZodType): z.ZodType {
  return z.array((row as z.ZodObject).partial()).exactOptional()
}
