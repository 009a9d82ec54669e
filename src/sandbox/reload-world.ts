import { type ChangedRow, diffRows, isSameRow } from '../world/edit/row-json.ts'
import { loadWorld } from '../world/load/load-world.ts'
import { type ListName, type RowId, tableOf } from '../world/tables.ts'
import type { WorldJson } from '../world/world-json.ts'
import type { SimulatorBase } from './simulator-base.ts'

/** What a reload did. */
export interface ReloadedRows {
  /** How many rows the new version adds to each list; lists without any are left out */
  readonly added: RowCounts
  /** How many rows differ between the two versions */
  readonly changed: RowCounts
  /** How many rows only the previous version has */
  readonly removed: RowCounts
  /** Rows written since the previous version was loaded, whose state is lost */
  readonly discarded: readonly DiscardedRow[]
}

type RowCounts = { readonly [List in ListName]?: number }

interface DiscardedRow {
  readonly list: ListName
  /** For a key its label, because its value is secret */
  readonly id: RowId
}

/**
 * Replaces the world of a simulator with a new version of it, for example after its file changed. Rows that were
 * written in the meantime are discarded, and `reset` restores the new version. Policies, clock and sandboxes stay.
 *
 * @throws UsageError with every issue of the new version; then nothing changes
 * @example reloadWorld(simulator, await readWorld('world.json')).discarded // [{ list: 'annotations', id: 9 }]
 */
export function reloadWorld(simulator: SimulatorBase, world: WorldJson): ReloadedRows {
  const { sandbox } = simulator
  const { tables, initial } = sandbox
  const loaded = loadWorld(world, sandbox.policyTracker.untracked)
  const changes = diffRows(initial.tables, loaded.tables)
  const discarded = diffRows(initial.tables, tables)
    .filter(({ list, id, after }) => !isSameRow(after, tableOf(loaded.tables, list).get(id)))
    .map(({ list, id, before, after }) => ({ list, id: shownId(id, after ?? before) }))
  sandbox.replace(loaded)
  return {
    added: countByList(changes.filter(({ before }) => before === undefined)),
    changed: countByList(changes.filter(({ before, after }) => before && after)),
    removed: countByList(changes.filter(({ after }) => after === undefined)),
    discarded,
  }
}

function countByList(rows: readonly ChangedRow[]): RowCounts {
  const counts: { [List in ListName]?: number } = {}
  for (const { list } of rows) counts[list] = (counts[list] ?? 0) + 1
  return counts
}

/** A key without a label has its value as its label. */
function shownId(id: RowId, row: object | undefined): RowId {
  const { value, label } = (row ?? {}) as { value?: string; label?: string }
  if (value === undefined || label === undefined) return id
  return label === value ? '(no label)' : label
}
