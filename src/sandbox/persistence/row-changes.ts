import { isSameJson } from '../../world/edit/row-json.ts'
import { completeRowIn } from '../../world/load/build-world.ts'
import type { OrderedList } from '../../world/table/ordered-list.ts'
import { KeyedTable, type Table } from '../../world/table/table.ts'
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

type ListTable = KeyedTable<object> | Table<{ readonly id: number }>

/** Compares two states of a world. Parts that both share cost nothing. */
export function findChanges(before: Tables, after: Tables): WorldChanges {
  const rows: { [List in ListName]?: readonly object[] } = {}
  const removed: { [List in ListName]?: readonly number[] } = {}
  const next_ids: { [List in ListName]?: number } = {}
  for (const list of worldLists) {
    const [old, current] = [before[list], after[list]] as [ListTable, ListTable]
    if (current.version === old.version) continue
    if (current instanceof KeyedTable || old instanceof KeyedTable) {
      rows[list] = [...current.values()]
      continue
    }
    const [mine, others] = [current.byId, old.byId]
    const written = unshared(mine, others).map(({ row }) => row)
    // A world that was loaded again has equal rows.
    const changed = written.filter((row) => !isSameJson(others.find(row.id)?.row, row))
    if (changed.length > 0) rows[list] = changed
    const ids = unshared(others, mine).map(({ row }) => row.id)
    const gone = ids.filter((id) => mine.find(id) === undefined)
    if (gone.length > 0) removed[list] = gone
  }
  for (const list of countedListNames) {
    if (after[list].nextId !== before[list].nextId) next_ids[list] = after[list].nextId
  }
  return { rows, removed, next_ids, revision: after.pluginRevision }
}

/** The rows of a list that are not in a part that another list shares. */
function unshared<R>(list: OrderedList<R>, other: OrderedList<R>): R[] {
  const shared = new Set(other.chunks)
  return list.chunks.flatMap((chunk) => (shared.has(chunk) ? [] : chunk.rows))
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
