import { isSameJson } from '../../world/edit/row-json.ts'
import { completeRowIn } from '../../world/load/build-world.ts'
import { KeyedTable } from '../../world/table/table.ts'
import type { RowId } from '../../world/table/tables.ts'
import {
  countedListNames,
  type ListName,
  rowIdOf,
  type Tables,
  worldLists,
} from '../../world/table/tables.ts'

/** What leads from one state of a world to a later one. */
export interface WorldChanges {
  /** New and changed rows by list. A list of few rows, such as the keys, is complete. */
  readonly rows: { readonly [List in ListName]?: readonly object[] }
  /** The ids of removed rows by list */
  readonly removed: { readonly [List in ListName]?: readonly number[] }
  /** The ids of the next rows, where they differ */
  readonly next_ids: { readonly [List in ListName]?: number }
  readonly revision: number
}

/** Compares two states of a world. Parts that both share cost nothing. */
export function findChanges(before: Tables, after: Tables): WorldChanges {
  const rows: { [List in ListName]?: readonly object[] } = {}
  const removed: { [List in ListName]?: readonly number[] } = {}
  const next_ids: { [List in ListName]?: number } = {}
  for (const list of worldLists) {
    const [old, current] = [before[list], after[list]]
    if (current instanceof KeyedTable) {
      if (current.version !== old.version) rows[list] = [...current.values()]
      continue
    }
    const changes = current.changesSince(old as never)
    // A world that was loaded again has equal rows.
    const changed = changes.rows.filter((row) => !isSameJson(old.get(row.id as never), row))
    if (changed.length > 0) rows[list] = changed
    if (changes.removed.length > 0) removed[list] = changes.removed
  }
  for (const list of countedListNames) {
    if (after[list].nextId !== before[list].nextId) next_ids[list] = after[list].nextId
  }
  return { rows, removed, next_ids, revision: after.pluginRevision }
}

/** Applies changes to tables that nothing observes. */
export function applyChanges(tables: Tables, changes: WorldChanges): void {
  for (const list of worldLists) {
    const table = tables[list]
    const rows = changes.rows[list]?.map((row) => completeRowIn(tables, list, row as never))
    if (table instanceof KeyedTable) {
      if (rows) replaceRows(table as KeyedTable<object>, list, rows)
      continue
    }
    for (const id of changes.removed[list] ?? []) table.remove(id)
    for (const row of (rows ?? []) as (object & { readonly id: number })[]) {
      if (table.get(row.id)) table.replace(row as never)
      else table.insert(row as never)
    }
  }
  for (const list of countedListNames) {
    const id = changes.next_ids[list]
    if (id !== undefined) tables[list].nextId = id
  }
  tables.pluginRevision = changes.revision
}

/** The rows of such a list have an order of their own. */
function replaceRows(table: KeyedTable<object>, list: ListName, rows: readonly object[]): void {
  const idOf = (row: object): string => rowIdOf(list, row) as RowId & string
  for (const row of [...table.values()]) table.delete(idOf(row))
  for (const row of rows) table.set(row)
}
