import { isSameJson, type RowJson, toRowJson } from '../../world/edit/row-json.ts'
import type { KeyRow } from '../../world/rows.ts'
import type { ListName } from '../../world/table/lists.ts'
import { type RowId, rowIdOf } from '../../world/table/row-lookup.ts'
import type { RowChange } from '../history/history.ts'
import type { JournalChange } from './entry.ts'
import type { KeyRedactor } from './key-redactor.ts'
import { maskKey } from './key-redactor.ts'

/** What was done to a row, field by field; the id of a key is hidden as the key is. */
export function renderChange(
  { list, before, after }: RowChange,
  redactor: KeyRedactor,
): JournalChange {
  const [was, is] = [toRowJson(list, before), toRowJson(list, after)]
  const [old, now] = [renderRow(list, before, redactor), renderRow(list, after, redactor)]
  // Two keys may look the same when they are shown: compared is what is there.
  const fields = Object.keys({ ...old, ...now })
    .filter((name) => !isSameJson(was?.[name] ?? null, is?.[name] ?? null))
    .map((name) => [name, [old?.[name] ?? null, now?.[name] ?? null]] as const)
  return {
    list,
    id: maskedId(list, (after ?? before) as object),
    kind: before ? (after ? 'changed' : 'removed') : 'created',
    fields: Object.fromEntries(fields),
  }
}

/** A row in the world format, without keys; null where there is none. */
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

function maskedId(list: ListName, row: object): RowId {
  const id = rowIdOf(list, row)
  return list === 'keys' ? maskKey(String(id)) : id
}
