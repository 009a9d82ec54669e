import { isSameJson } from '../../utils/json.ts'
import { type KeyRedactor, maskKey } from '../../utils/redaction/redactor.ts'
import { type ExportedRow, toRowJson } from '../../world/load/export-world.ts'
import type { KeyRow } from '../../world/rows.ts'
import { type ListName, rowIdOf } from '../../world/tables.ts'
import type { RowChange } from './changes.ts'
import type { JournalChange } from './entry.ts'

/** A write to a row, field by field, with its keys. */
export function toJournalChange({ list, before, after }: RowChange): JournalChange {
  const [oldRow, newRow] = [toRowJson(list, before), toRowJson(list, after)]
  const fields: Record<string, readonly [unknown, unknown]> = {}
  for (const name of Object.keys({ ...oldRow, ...newRow })) {
    const [old, value] = [oldRow?.[name] ?? null, newRow?.[name] ?? null]
    if (!isSameJson(old, value)) fields[name] = [old, value]
  }
  const id = rowIdOf(list, (after ?? before) as object)
  return { list, id, kind: before ? (after ? 'changed' : 'removed') : 'created', fields }
}

/** A write to a row as an entry has it, with masked keys. */
export function maskChange(change: RowChange, redactor: KeyRedactor): JournalChange {
  const written = toJournalChange(change)
  const { list, id, fields } = written
  const [before, after] = [change.before, change.after].map((row, at) => {
    const values = Object.entries(fields).map(([name, pair]) => [name, pair[at]])
    return maskFields(list, row, Object.fromEntries(values), redactor)
  }) as [ExportedRow, ExportedRow]
  const shown = Object.keys(fields).map((name) => [name, [before[name], after[name]]])
  return {
    ...written,
    id: list === 'keys' ? maskKey(String(id)) : id,
    fields: Object.fromEntries(shown),
  }
}

/** Fields of a row with masked keys. Those of a row that does not exist are null. */
function maskFields(
  list: ListName,
  row: object | undefined,
  fields: ExportedRow,
  redactor: KeyRedactor,
): ExportedRow {
  if (!row) return fields
  const shown = redactor.json(fields) as ExportedRow
  if (list !== 'keys') return shown
  const { value, label } = row as KeyRow
  return { ...shown, value: maskKey(value), label: label === value ? maskKey(value) : shown.label }
}
