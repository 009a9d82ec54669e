import { isSameJson, unsharedRows } from '../../world/edit/row-json.ts'
import { completeRowIn } from '../../world/load/build-world.ts'
import { KeyedTable } from '../../world/table/table.ts'
import {
  countedListNames,
  type ListName,
  rowIdOf,
  type Tables,
  tableOf,
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
    const current = after[list]
    if (current.version === before[list].version) continue
    if (current instanceof KeyedTable) {
      rows[list] = [...current.values()]
      continue
    }
    // A world that was loaded again has equal rows.
    const changed = unsharedRows(list, after, before).filter(
      (row) => !isSameJson(tableOf(before, list).get(rowIdOf(list, row)), row),
    )
    if (changed.length > 0) rows[list] = changed
    const ids = unsharedRows(list, before, after).map((row) => rowIdOf(list, row) as number)
    const gone = ids.filter((id) => tableOf(after, list).get(id) === undefined)
    if (gone.length > 0) removed[list] = gone
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
    const rows = changes.rows[list]?.map((row) => completeRowIn(tables, list, row))
    // The rows of such a list have an order of their own.
    const isReplaced = rows !== undefined && table instanceof KeyedTable
    const removed = isReplaced
      ? [...table.values()].map((row) => rowIdOf(list, row))
      : (changes.removed[list] ?? [])
    for (const id of removed) tableOf(tables, list).remove(id)
    for (const row of rows ?? []) tableOf(tables, list).put(row)
  }
  for (const list of countedListNames) {
    const id = changes.next_ids[list]
    if (id !== undefined) tables[list].nextId = id
  }
  tables.pluginRevision = changes.revision
}
