import * as z from 'zod'
import type { AccessibleRows } from '../defaults.ts'
import type { KeyRequest } from '../keys.ts'
import { rowSchemas } from '../schema/row-schemas.ts'
import { type ListName, worldLists } from '../table/lists.ts'
import type { RepositoryJson } from '../world-json.ts'

/** Rows to add, by list. Missing fields get the defaults of `world.*.create`. */
export type NewRows = {
  readonly [List in keyof AccessibleRows]?: readonly Partial<AccessibleRows[List]>[]
} & {
  readonly keys?: readonly KeyRequest[]
  readonly repository?: readonly RepositoryJson[]
}

/** Rows to update, by list: the id of each row and its changed fields. */
export type UpdatedRows = {
  readonly [List in keyof AccessibleRows]?: readonly (Pick<AccessibleRows[List], 'id'> &
    Partial<AccessibleRows[List]>)[]
}

/** The ids of rows to delete permanently, by list. */
export type DeletedRows = {
  readonly [List in keyof AccessibleRows]?: readonly AccessibleRows[List]['id'][]
}

/** The ids of added rows, by list, in the order of the rows. For keys, their values. */
export type AddedIds = { readonly [list: string]: readonly (number | string)[] }

/** Keys and catalogue entries cannot be updated or deleted in bulk. */
const accessibleLists = worldLists.filter(
  (list): list is keyof AccessibleRows => list !== 'keys' && list !== 'repository',
)

/** The schema of rows to add. Any field of a row is optional. */
export const newRowsSchema: z.ZodType<NewRows> = z.strictObject({
  ...listSchemas((row) => row.partial()),
  keys: z.array(objectSchema('keys').partial()).exactOptional(),
  repository: z.array(rowSchemas.repository).exactOptional(),
}) as unknown as z.ZodType<NewRows>

/** The schema of rows to update. */
export const updatedRowsSchema: z.ZodType<UpdatedRows> = z.strictObject(
  listSchemas((row) => row.partial().required({ id: true })),
) as unknown as z.ZodType<UpdatedRows>

/** The schema of rows to delete. */
export const deletedRowsSchema: z.ZodType<DeletedRows> = z.strictObject(
  listSchemas((row) => row.shape.id as z.ZodType),
) as unknown as z.ZodType<DeletedRows>

/** The schema of lists of any objects, for rows that are checked when they are added. */
export const rowListsSchema: z.ZodType<NewRows> = z.strictObject(
  Object.fromEntries(worldLists.map((list) => [list, z.array(z.looseObject({})).optional()])),
) as unknown as z.ZodType<NewRows>

/** The schema of the ids of added rows. */
export const addedIdsSchema: z.ZodType<AddedIds> = z.record(
  z.string(),
  z.array(z.union([z.int(), z.string()])),
)

function listSchemas(toItem: (row: z.ZodObject) => z.ZodType): Record<string, z.ZodType> {
  return Object.fromEntries(
    accessibleLists.map((list) => [list, z.array(toItem(objectSchema(list))).exactOptional()]),
  )
}

function objectSchema(list: ListName): z.ZodObject {
  return rowSchemas[list] as unknown as z.ZodObject
}
