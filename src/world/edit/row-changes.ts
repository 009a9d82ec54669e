import * as z from 'zod'
import type { AccessibleRows } from '../defaults.ts'
import type { KeyRequest } from '../keys.ts'
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
} from '../schema/row-schemas.ts'
import { annotationSchema } from '../schema/world-schema.ts'
import { worldLists } from '../table/lists.ts'
import type { RepositoryJson } from '../world-json.ts'

/** Rows to add, list by list. What a row leaves out gets the default of `world.*.create`. */
export type NewRows = {
  readonly [List in keyof AccessibleRows]?: readonly Partial<AccessibleRows[List]>[]
} & {
  readonly keys?: readonly KeyRequest[]
  readonly repository?: readonly RepositoryJson[]
}

/** Rows to update, list by list: each by its id, with the fields that become others. */
export type UpdatedRows = {
  readonly [List in keyof AccessibleRows]?: readonly (Pick<AccessibleRows[List], 'id'> &
    Partial<AccessibleRows[List]>)[]
}

/** Rows to delete for good, list by list, by their ids. */
export type DeletedRows = {
  readonly [List in keyof AccessibleRows]?: readonly AccessibleRows[List]['id'][]
}

/** The ids of rows that were added, list by list, in their order; of keys their values. */
export type AddedIds = { readonly [list: string]: readonly (number | string)[] }

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
