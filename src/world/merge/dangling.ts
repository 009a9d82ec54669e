import {
  findDanglingReferences,
  findReferencingRows,
  hasRow,
  type ReferencedList,
  references,
} from '../schema/references.ts'
import type { ListName } from '../table/lists.ts'
import { worldLists } from '../table/lists.ts'
import type { RowId } from '../table/row-lookup.ts'
import { type ReloadConflict, shownId } from './conflict.ts'
import type { Draft } from './draft.ts'

/**
 * Gives up what would leave a row that names another one without it: a row that is still named stays, and one that
 * names what is gone does not come.
 */
export function withoutDangling(draft: Draft): ReloadConflict[] {
  const conflicts: ReloadConflict[] = []
  // What stays, or does not come, may be what others name.
  for (let found = step(draft); found.length > 0; found = step(draft)) conflicts.push(...found)
  return conflicts
}

function step(draft: Draft): ReloadConflict[] {
  const given = worldLists.flatMap((list) =>
    [...draft.changes(list)].flatMap(([id, row]) => {
      const reason =
        row === undefined ? whyItStays(draft, list, id) : whyItStaysOut(draft, list, row)
      return reason === null ? [] : [{ list, id, row, reason }]
    }),
  )
  for (const { list, id } of given) draft.unset(list, id)
  return given.map(({ list, id, row, reason }) => ({
    list,
    id: shownId(id, row ?? draft.get(list, id)),
    reason,
  }))
}

function whyItStays(draft: Draft, list: ListName, id: RowId): string | null {
  const [naming] = findReferencingRows(list, id, (other) => draft.values(other as ListName))
  return naming === undefined ? null : `stays, since ${naming} names it`
}

function whyItStaysOut(draft: Draft, list: ListName, row: object): string | null {
  if (!(list in references)) return null
  const exists = (target: ReferencedList, id: RowId): boolean => {
    const changes = draft.changes(target)
    return changes.has(id) ? changes.get(id) !== undefined : hasRow(draft.versions.now, target, id)
  }
  const [missing] = findDanglingReferences(list, row, exists)
  return missing === undefined ? null : `is not taken over: ${missing}, which was taken out since`
}
