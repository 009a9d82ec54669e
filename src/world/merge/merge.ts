import type { LoadedWorld } from '../load/build-world.ts'
import type { KeyedTable } from '../table/keyed-table.ts'
import type { ListName } from '../table/lists.ts'
import { countedListNames, worldLists } from '../table/lists.ts'
import type { RowId } from '../table/row-lookup.ts'
import type { Table } from '../table/table.ts'
import { forkTables, type Tables } from '../table/tables.ts'
import type { ReloadConflict } from './conflict.ts'
import type { Draft } from './draft.ts'
import { planMerge } from './plan.ts'

/** What became of the changes from one version of a world to the next. */
export interface ReloadedRows {
  /** How many rows came, list by list */
  readonly added: RowCount
  readonly changed: RowCount
  /** How many were taken out */
  readonly removed: RowCount
  /** Rows that stay as they are, whatever the next version says */
  readonly conflicts: readonly ReloadConflict[]
}

type RowCount = { readonly [List in ListName]?: number }

/**
 * Takes over what changed from one version of a world to the next, into rows that have gone on from the first: what
 * was written since stays. Each change is a write of its own.
 */
export function mergeInto(now: Tables, before: LoadedWorld, after: LoadedWorld): ReloadedRows {
  const versions = { before: before.tables, after: after.tables, now }
  const { draft, conflicts } = planMerge(versions)
  const counts = { added: {}, changed: {}, removed: {} }
  for (const list of worldLists) write(list, draft, now, counts, true)
  // What names another row goes before that row.
  for (const list of worldLists.toReversed()) write(list, draft, now, counts, false)
  followProjects(draft, now)
  for (const list of countedListNames) now[list].nextId = after.tables[list].nextId
  now.pluginRevision = Math.max(now.pluginRevision, after.tables.pluginRevision)
  return { ...counts, conflicts }
}

/** The same for rows that nobody sees yet. */
export function merged(given: LoadedWorld, before: LoadedWorld, after: LoadedWorld): LoadedWorld {
  const tables = forkTables(given.tables)
  mergeInto(tables, before, after)
  return { ...given, ...headOf(given, before, after), tables }
}

/** Seed and time, where the next version has others. */
export function headOf(
  given: Pick<LoadedWorld, 'seed' | 'now'>,
  before: LoadedWorld,
  after: LoadedWorld,
): Pick<LoadedWorld, 'seed' | 'now'> {
  return {
    seed: before.seed === after.seed ? given.seed : after.seed,
    now: before.now === after.now ? given.now : after.now,
  }
}

type Counts = Record<'added' | 'changed' | 'removed', { [list: string]: number }>

function write(list: ListName, draft: Draft, now: Tables, counts: Counts, isComing: boolean): void {
  for (const [id, row] of draft.changes(list)) {
    if ((row !== undefined) !== isComing) continue
    const isThere = now[list].get(id as never) !== undefined
    put(now[list] as never, id, row, isThere)
    const kind = row === undefined ? 'removed' : isThere ? 'changed' : 'added'
    counts[kind][list] = (counts[kind][list] ?? 0) + 1
  }
}

function put(
  rows: KeyedTable<object> | Table<{ id: number }>,
  id: RowId,
  row: object | undefined,
  isThere: boolean,
): void {
  if ('delete' in rows) {
    if (row === undefined) rows.delete(String(id))
    else rows.set(row)
  } else if (row === undefined) rows.remove(id as number)
  else if (isThere) rows.replace(row as { id: number })
  else rows.insert(row as { id: number })
}

/** Annotations belong to the organization of their project, those included that were written since. */
function followProjects(draft: Draft, { annotations, projects }: Tables): void {
  if (draft.changes('projects').size === 0) return
  for (const row of [...annotations.values()]) {
    const organization = projects.get(row.project)?.organization as string
    if (row.organization !== organization) annotations.replace({ ...row, organization })
  }
}
