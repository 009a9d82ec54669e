import * as z from 'zod'
import type { AccessibleRows } from '../world/row-defaults.ts'
import { dashboardItem, key, organization, project, user } from '../world/schema/people.ts'
import { activity, plugin, pluginConfig, repositoryEntry } from '../world/schema/plugins.ts'
import { annotation } from '../world/schema/world.ts'
import { worldLists } from '../world/world-lists.ts'
import type { AddedIds, DeletedRows, NewRows, UpdatedRows } from './new-rows.ts'

/** The rows that can be changed one by one, list by list. */
const accessible: Readonly<Record<keyof AccessibleRows, z.ZodType>> = {
  organizations: organization,
  projects: project,
  users: user,
  dashboard_items: dashboardItem,
  plugins: plugin,
  plugin_configs: pluginConfig,
  annotations: annotation,
  activity: activity,
}

/** Rows to add, list by list; of a row any field may be missing. */
export const newRows: z.ZodType<NewRows> = z.strictObject({
  ...lists((row) => row.partial()),
  keys: z.array((key as unknown as z.ZodObject).partial()).exactOptional(),
  repository: z.array(repositoryEntry).exactOptional(),
}) as unknown as z.ZodType<NewRows>

/** Rows to update, list by list: each by its id. */
export const updatedRows: z.ZodType<UpdatedRows> = z.strictObject(
  lists((row) => row.partial().required({ id: true })),
) as unknown as z.ZodType<UpdatedRows>

/** Rows to delete, list by list: each by its id. */
export const deletedRows: z.ZodType<DeletedRows> = z.strictObject(
  lists((row) => row.shape.id as z.ZodType),
) as unknown as z.ZodType<DeletedRows>

/** Lists of rows, whatever is in them: each row is checked when it is added. */
export const rowLists: z.ZodType<NewRows> = z.strictObject(
  Object.fromEntries(worldLists.map((list) => [list, z.array(z.looseObject({})).optional()])),
) as unknown as z.ZodType<NewRows>

/** The ids of rows that were added, list by list. */
export const addedIds: z.ZodType<AddedIds> = z.record(
  z.string(),
  z.array(z.union([z.int(), z.string()])),
)

function lists(item: (row: z.ZodObject) => z.ZodType): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(accessible).map(([list, row]) => [
      list,
      z.array(item(row as z.ZodObject)).exactOptional(),
    ]),
  )
}
