import { isSameJson } from '../../utils/json.ts'
import { type KeyRedactor, maskKey } from '../../utils/redaction/mask.ts'
import { type ExportedRow, toRowJson } from '../../world/load/export-world.ts'
import type { KeyRow } from '../../world/rows.ts'
import { type ListName, rowIdOf } from '../../world/tables.ts'
import type { RowChange } from './changes.ts'
import type { JournalChange } from './entry.ts'

/** A write to a row as an entry has it: field by field, with masked keys. */
export function maskChange(
  { list, before, after }: RowChange,
  redactor: KeyRedactor,
): JournalChange {
  const [oldRow, newRow] = [toRowJson(list, before), toRowJson(list, after)]
  const [oldShown, newShown] = [maskRow(list, before, redactor), maskRow(list, after, redactor)]
  // Compares the rows with their keys, since two masked keys can look the same.
  const fields = Object.keys({ ...oldShown, ...newShown })
    .filter((name) => !isSameJson(oldRow?.[name] ?? null, newRow?.[name] ?? null))
    .map((name) => [name, [oldShown?.[name] ?? null, newShown?.[name] ?? null]] as const)
  const id = rowIdOf(list, (after ?? before) as object)
  return {
    list,
    id: list === 'keys' ? maskKey(String(id)) : id,
    kind: before ? (after ? 'changed' : 'removed') : 'created',
    fields: Object.fromEntries(fields) as JournalChange['fields'],
  }
}

/** A row in the world format, with masked keys. Null for no row. */
function maskRow(
  list: ListName,
  row: object | undefined,
  redactor: KeyRedactor,
): ExportedRow | null {
  const json = toRowJson(list, row)
  if (json === null) return null
  const shown = redactor.json(json) as ExportedRow
  if (list !== 'keys') return shown
  const { value, label } = row as KeyRow
  return { ...shown, value: maskKey(value), label: label === value ? maskKey(value) : shown.label }
}
