import type { ReferencedList } from './references.ts'
import type { Tables } from './tables.ts'

/** Whether a list has a row of an id. */
export function hasRow(tables: Tables, list: ReferencedList, id: number | string): boolean {
  if (list === 'organizations') return tables.organizations.get(String(id)) !== undefined
  return typeof id === 'number' && tables[list].get(id) !== undefined
}
