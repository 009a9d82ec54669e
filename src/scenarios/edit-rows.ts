import type { DeletedRows, UpdatedRows } from '../rows/new-rows.ts'
import { unexpectedValue } from '../usage-error.ts'
import type { AccessibleRows } from '../world/row-defaults.ts'

type List = keyof AccessibleRows
type Id = number | string

/** Updates rows one by one, and deletes them, without a request: at once or with a promise. */
export interface RowEditor {
  update(list: List, id: Id, changes: object): unknown
  /** @returns false for a row that is not there */
  delete(list: List, id: Id): boolean | Promise<boolean>
}

/** Updates rows, one after the other. @throws UsageError for the first that cannot be */
export async function updateRows(rows: UpdatedRows, editor: RowEditor): Promise<void> {
  for (const [list, updated] of Object.entries(rows) as [List, { readonly id: Id }[]][]) {
    for (const { id, ...changes } of updated) await editor.update(list, id, changes)
  }
}

/** Deletes rows for good, one after the other. @throws UsageError for the first that cannot be */
export async function deleteRows(rows: DeletedRows, editor: RowEditor): Promise<void> {
  for (const [list, ids] of Object.entries(rows) as [List, Id[]][]) {
    for (const id of ids) {
      if (await editor.delete(list, id)) continue
      throw unexpectedValue(`delete a row of ${list}`, 'the id of one', id)
    }
  }
}
