import type { Change } from '../history/history.ts'
import { countedLists } from '../world/lists.ts'
import { idOf, type RowId } from '../world/row-id.ts'
import type { KeyRow } from '../world/rows.ts'
import type { ListName } from '../world/watch.ts'
import type { CountedList } from '../world/world-json.ts'
import type { ShownChange } from './entry.ts'
import { masked } from './masked.ts'
import type { Redactor } from './redact.ts'

/** A row by the names of its fields. */
export type ShownRow = Readonly<Record<string, unknown>>

/** What was done to a row, field by field; the id of a key is hidden as the key is. */
export function showChange({ list, before, after }: Change, redactor: Redactor): ShownChange {
  const [was, is] = [worldRow(list, before), worldRow(list, after)]
  const [old, now] = [showRow(list, before, redactor), showRow(list, after, redactor)]
  // Two keys may look the same when they are shown: compared is what is there.
  const fields = Object.keys({ ...old, ...now })
    .filter((name) => !isSame(was?.[name] ?? null, is?.[name] ?? null))
    .map((name) => [name, [old?.[name] ?? null, now?.[name] ?? null]] as const)
  return {
    list,
    id: shownId(list, (after ?? before) as object),
    kind: before ? (after ? 'changed' : 'removed') : 'created',
    fields: Object.fromEntries(fields),
  }
}

/** A row in the world format, without keys; null where there is none. */
export function showRow(
  list: ListName,
  row: object | undefined,
  redactor: Redactor,
): ShownRow | null {
  const json = worldRow(list, row)
  if (json === null) return null
  const shown = redactor.json(json) as ShownRow
  if (list !== 'keys') return shown
  const { value, label } = row as KeyRow
  return { ...shown, value: masked(value), label: label === value ? masked(value) : shown.label }
}

/** A row in the world format, as it is and not to be shown; null where there is none. */
export function worldRow(list: ListName, row: object | undefined): ShownRow | null {
  if (row === undefined) return null
  const isCounted = Object.hasOwn(countedLists, list)
  return (isCounted ? countedLists[list as CountedList].toJson(row as never) : row) as ShownRow
}

/** Whether two values of JSON are the same. */
export function isSame(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

function shownId(list: ListName, row: object): RowId {
  const id = idOf(list, row)
  return list === 'keys' ? masked(String(id)) : id
}
