import type { Tables } from './tables.ts'
import type { ListName } from './watch.ts'

/** What a row is found by: its id, or of a key its value. */
export type RowId = number | string

export function rowIdOf(list: ListName, row: object): RowId {
  const { id, value } = row as { id?: RowId; value?: string }
  return (list === 'keys' ? value : id) as RowId
}

/** The row of an id, in whichever list. */
export function findRow(tables: Tables, list: ListName, id: RowId): object | undefined {
  return tables[list].get(id as never)
}
