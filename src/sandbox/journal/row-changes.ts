import { isSameJson, type RowJson, toRowJson } from '../../world/edit/row-json.ts'
import type { KeyRow } from '../../world/rows.ts'
import type { ListName } from '../../world/table/lists.ts'
import { type RowId, rowIdOf } from '../../world/table/lists.ts'
import type { RowChange } from '../history/history.ts'
import type { JournalChange } from './entry.ts'
import { type KeyRedactor, maskKey } from './key-redactor.ts'

/** Renders a write to a row field by field, with masked keys. */
export function renderChange(
  { list, before, after }: RowChange,
  redactor: KeyRedactor,
): JournalChange {
  const [oldRow, newRow] = [toRowJson(list, before), toRowJson(list, after)]
  const [oldShown, newShown] = [renderRow(list, before, redactor), renderRow(list, after, redactor)]
  // Compares the rows with their keys, since two masked keys can look the same.
  const fields = Object.keys({ ...oldShown, ...newShown })
    .filter((name) => !isSameJson(oldRow?.[name] ?? null, newRow?.[name] ?? null))
    .map((name) => [name, [oldShown?.[name] ?? null, newShown?.[name] ?? null]] as const)
  return {
    list,
    id: renderId(list, (after ?? before) as object),
    kind: before ? (after ? 'changed' : 'removed') : 'created',
    fields: Object.fromEntries(fields),
  }
}

/** Renders a row in the world format, with masked keys. Returns null for no row. */
export function renderRow(
  list: ListName,
  row: object | undefined,
  redactor: KeyRedactor,
): RowJson | null {
  const json = toRowJson(list, row)
  if (json === null) return null
  const shown = redactor.json(json) as RowJson
  if (list !== 'keys') return shown
  const { value, label } = row as KeyRow
  return { ...shown, value: maskKey(value), label: label === value ? maskKey(value) : shown.label }
}

function renderId(list: ListName, row: object): RowId {
  const id = rowIdOf(list, row)
  return list === 'keys' ? maskKey(String(id)) : id
}
