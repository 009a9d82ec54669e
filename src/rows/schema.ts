import * as z from 'zod'
import type { AccessibleRows } from '../world/row-defaults.ts'
import {
  dashboardItemSchema,
  keySchema,
  organizationSchema,
  projectSchema,
  userSchema,
} from '../world/schema/people.ts'
import {
  activitySchema,
  pluginConfigSchema,
  pluginSchema,
  repositoryEntrySchema,
} from '../world/schema/plugins.ts'
import { annotationSchema } from '../world/schema/world.ts'
import { worldLists } from '../world/world-lists.ts'
import type { AddedIds, DeletedRows, NewRows, UpdatedRows } from './new-rows.ts'

/** The rows that can be changed one by one, list by list. */
const rowSchemas: Readonly<Record<keyof AccessibleRows, z.ZodType>> = {
  organizations: organizationSchema,
  projects: projectSchema,
  users: userSchema,
  dashboard_items: dashboardItemSchema,
  plugins: pluginSchema,
  plugin_configs: pluginConfigSchema,
  annotations: annotationSchema,
  activity: activitySchema,
}

/** Rows to add, list by list; of a row any field may be missing. */
export const newRowsSchema: z.ZodType<NewRows> = z.strictObject({
  ...lists((row) => row.partial()),
  keys: z.array((keySchema as unknown as z.ZodObject).partial()).exactOptional(),
  repository: z.array(repositoryEntrySchema).exactOptional(),
}) as unknown as z.ZodType<NewRows>

/** Rows to update, list by list: each by its id. */
export const updatedRowsSchema: z.ZodType<UpdatedRows> = z.strictObject(
  lists((row) => row.partial().required({ id: true })),
) as unknown as z.ZodType<UpdatedRows>

/** Rows to delete, list by list: each by its id. */
export const deletedRowsSchema: z.ZodType<DeletedRows> = z.strictObject(
  lists((row) => row.shape.id as z.ZodType),
) as unknown as z.ZodType<DeletedRows>

/** Lists of rows, whatever is in them: each row is checked when it is added. */
export const rowListsSchema: z.ZodType<NewRows> = z.strictObject(
  Object.fromEntries(worldLists.map((list) => [list, z.array(z.looseObject({})).optional()])),
) as unknown as z.ZodType<NewRows>

/** The ids of rows that were added, list by list. */
export const addedIdsSchema: z.ZodType<AddedIds> = z.record(
  z.string(),
  z.array(z.union([z.int(), z.string()])),
)

function lists(item: (row: z.ZodObject) => z.ZodType): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(rowSchemas).map(([list, row]) => [
      list,
      z.array(item(row as z.ZodObject)).exactOptional(),
    ]),
  )
}
