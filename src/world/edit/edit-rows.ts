import * as z from 'zod'
import { unexpectedValue } from '../../utils/errors.ts'
import { type AccessibleRows, createDefaults } from '../defaults.ts'
import { once, rowSchemas } from '../schema/world-schema.ts'
import { type RowId, worldLists } from '../tables.ts'
import {
  type AddedIds,
  addRows,
  type DeletedRows,
  type EditableSandbox,
  type NewRows,
  type UpdatedRows,
} from './add-rows.ts'
import { rowsOf, WorldAccess } from './world-access.ts'

/** One change of rows: it adds some, sets fields of some, or deletes some permanently. */
export type RowEdit =
  | { readonly rows: NewRows }
  | { readonly update: UpdatedRows }
  | { readonly delete: DeletedRows }

/**
 * Changes rows of a world, without a request.
 *
 * @returns the ids of added rows
 * @throws UsageError for a row that does not exist, and for a value that its field cannot have
 * @example editRows(sandbox, { update: { annotations: [{ id: 1, content: 'By another client' }] } })
 */
export function editRows(sandbox: EditableSandbox, edit: RowEdit): AddedIds {
  if ('rows' in edit) return addRows(sandbox, edit.rows)
  const world = new WorldAccess(sandbox, createDefaults(sandbox))
  if ('update' in edit) {
    for (const [list, id, changes] of updatesOf(edit.update))
      rowsOf(world, list).update(id, changes)
    return {}
  }
  for (const [list, id] of deletionsOf(edit.delete)) {
    if (!rowsOf(world, list).delete(id)) throw missingRow(list, id)
  }
  return {}
}

type List = keyof AccessibleRows

/** Each row of an update, in order. */
export function updatesOf(rows: UpdatedRows): [list: List, id: RowId, changes: object][] {
  return Object.entries(rows).flatMap(([list, updated]) =>
    updated.map(({ id, ...changes }): [List, RowId, object] => [list as List, id, changes]),
  )
}

/** Each row of a deletion, in order. */
export function deletionsOf(rows: DeletedRows): [list: List, id: RowId][] {
  return Object.entries(rows).flatMap(([list, ids]) =>
    ids.map((id): [List, RowId] => [list as List, id]),
  )
}

export function missingRow(list: List, id: RowId): Error {
  return unexpectedValue(`delete a row of ${list}`, 'an existing id', id)
}

/** The schemas of the changes, by their names. */
export const rowEditSchemas = once(() => ({
  rows: z.strictObject({
    ...listSchemas((row) => row.partial()),
    keys: z.array(rowSchemas().keys.partial()).exactOptional(),
    repository: z.array(rowSchemas().repository).exactOptional(),
  }),
  update: z.strictObject(
    listSchemas((row) => row.partial().extend({ id: row.shape.id as z.ZodType })),
  ),
  delete: z.strictObject(listSchemas((row) => row.shape.id as z.ZodType)),
}))

/** Keys and catalogue entries cannot be updated or deleted in bulk. */
const editableLists = worldLists.filter(
  (list): list is List => list !== 'keys' && list !== 'repository',
)

function listSchemas(toItem: (row: z.ZodObject) => z.ZodType): Record<string, z.ZodType> {
  return Object.fromEntries(
    editableLists.map((list) => [list, z.array(toItem(rowSchemas()[list])).exactOptional()]),
  )
}
