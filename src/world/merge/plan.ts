import type { ListName } from '../table/lists.ts'
import { worldLists } from '../table/lists.ts'
import { findRow, type RowId, rowIdOf } from '../table/row-lookup.ts'
import { conflictOf, type ReloadConflict } from './conflict.ts'
import { withoutDangling } from './dangling.ts'
import { Draft, type Versions } from './draft.ts'
import { isSame } from './same.ts'

/** What has to be written to take changes over, and what is not, since it was written since. */
export interface Plan {
  readonly draft: Draft
  readonly conflicts: readonly ReloadConflict[]
}

/**
 * What changed from one version of a world to the next, for rows that have gone on from the first: a row that nobody
 * wrote since is taken over, one that was written stays, and so does what such a row names.
 */
export function planMerge(versions: Versions): Plan {
  const draft = new Draft(versions)
  const conflicts: ReloadConflict[] = []
  for (const list of worldLists) {
    for (const id of changedIds(versions, list)) {
      const [before, now, after] = [versions.before, versions.now, versions.after].map((tables) =>
        findRow(tables, list, id),
      )
      if (isSame(now, after)) continue
      if (isSame(before, now)) draft.set(list, id, after)
      else conflicts.push(conflictOf(list, id, { before, now, after }))
    }
  }
  return { draft, conflicts: [...conflicts, ...withoutDangling(draft)] }
}

/** The rows that are not the same in both versions. */
function changedIds({ before, after }: Versions, list: ListName): RowId[] {
  const changed: RowId[] = []
  for (const row of after[list].values()) {
    const id = rowIdOf(list, row)
    if (!isSame(findRow(before, list, id), row)) changed.push(id)
  }
  for (const row of before[list].values()) {
    const id = rowIdOf(list, row)
    if (findRow(after, list, id) === undefined) changed.push(id)
  }
  return changed
}
