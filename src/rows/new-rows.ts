import type { KeyRequest } from '../keys.ts'
import type { AccessibleRows } from '../world/row-defaults.ts'
import type { RepositoryJson } from '../world/world-json.ts'

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
