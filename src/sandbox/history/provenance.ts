import { didYouMean, unexpectedValue } from '../../utils/usage-error.ts'
import { formatIsoTime } from '../../world/clock/clock.ts'
import { isSameJson, type RowJson, toRowJson } from '../../world/edit/row-json.ts'
import { type ListName, rowIdOf } from '../../world/tables.ts'
import type { MaskedKey } from '../journal/entry.ts'
import type { Journal } from '../journal/journal.ts'
import { latestWrites } from '../journal/past-request.ts'
import { renderRow } from '../journal/render-parts.ts'
import { documentedOperation, type JournalSource, Renderer } from '../journal/renderer.ts'
import type { RowChange, WriteCause } from './history.ts'

/** What wrote each field of a row. */
export interface RowProvenance {
  readonly list: ListName
  readonly id: number | string
  /** The row in the world format, or null for a removed row */
  readonly row: RowJson | null
  /** What removed the row, or null if it exists */
  readonly removed: WriteSource | null
  /** The current fields. For a removed row: its last fields */
  readonly fields: readonly FieldProvenance[]
}

/** The value of a field, and what wrote it. */
export interface FieldProvenance {
  readonly field: string
  readonly value: unknown
  readonly since: WriteSource
}

/**
 * What wrote a value: a request, a fault, or an edit through `simulator.world` or the control API.
 * `initial` means that the initial row, or a restored one, had this value. `unknown` means that the write may have been
 * evicted from the history.
 */
export type WriteSource =
  | RequestSource
  | { readonly fault: string }
  | { readonly edit: 'world' }
  | 'initial'
  | 'unknown'

/** A request. If it was evicted from the journal, only its id is known. */
export interface RequestSource {
  /** The id of the journal entry */
  readonly entry: number
  readonly operation: string | null
  readonly at: string | null
  readonly key: MaskedKey | null
}

/**
 * Finds the write of each field of a row.
 *
 * @param resource the name of a list, or its singular
 * @returns undefined if no such row is known
 * @throws UsageError for an unknown list
 */
export function findProvenance(
  resource: string,
  id: number | string,
  sandbox: JournalSource,
): RowProvenance | undefined {
  const list = toListName(resource)
  const renderer = new Renderer(sandbox)
  const { history, journal, tables } = sandbox
  const rowId = list === 'keys' || list === 'organizations' ? String(id) : Number(id)
  const writes = [...latestWrites(history)].filter(
    ({ list: other, before, after }) =>
      other === list && rowIdOf(list, (after ?? before) as object) === rowId,
  )
  const table = tables[list] as { get(id: number | string): object | undefined }
  const row = table.get(rowId)
  const lastRow = row ?? writes[0]?.before
  const shown = renderRow(list, lastRow, renderer.redactor)
  if (lastRow === undefined || shown === null) return undefined
  const unwritten = history.isTruncated ? 'unknown' : 'initial'
  const toSource = (write: RowChange | undefined): WriteSource =>
    write ? toWriteSource(write.cause, journal, renderer) : unwritten
  const lastWrites = lastWritePerField(writes, Object.keys(shown))
  return {
    list,
    id: list === 'keys' ? String(shown.value) : rowIdOf(list, lastRow),
    row: row ? shown : null,
    removed: row ? null : toSource(writes[0]),
    fields: Object.entries(shown).map(([field, value]) => {
      return { field, value, since: toSource(lastWrites.get(field)) }
    }),
  }
}

function toWriteSource(cause: WriteCause, journal: Journal, renderer: Renderer): WriteSource {
  if (!('entry' in cause)) return cause
  const record = journal.records.find(({ id }) => id === cause.entry)
  if (!record) return { entry: cause.entry, operation: null, at: null, key: null }
  const [operation, at] = [documentedOperation(record), formatIsoTime(record.at)]
  return { entry: cause.entry, operation, at, key: renderer.key(record) }
}

/** Finds the last write that changed each field. Removals change no field. @param writes to one row, the latest first */
function lastWritePerField(
  writes: readonly RowChange[],
  fields: readonly string[],
): ReadonlyMap<string, RowChange> {
  const result = new Map<string, RowChange>()
  const remaining = new Set(fields)
  let oldRow: object | undefined
  let oldJson: RowJson | null = null
  for (const write of writes) {
    if (remaining.size === 0) break
    const { list, before, after } = write
    // The row after this write is the row before the later write, which is converted already.
    const newJson = after === oldRow ? oldJson : toRowJson(list, after)
    oldRow = before
    oldJson = toRowJson(list, before)
    if (newJson === null) continue
    for (const field of remaining) {
      if (oldJson !== null && isSameJson(oldJson[field], newJson[field])) continue
      result.set(field, write)
      remaining.delete(field)
    }
  }
  return result
}

/** The singular of each list. */
const singularNames: Readonly<Record<ListName, string>> = {
  organizations: 'organization',
  projects: 'project',
  users: 'user',
  keys: 'key',
  dashboard_items: 'dashboard_item',
  plugins: 'plugin',
  plugin_configs: 'plugin_config',
  repository: 'repository_entry',
  annotations: 'annotation',
  activity: 'activity_entry',
}

/** The names that a list can be referred to by. */
export const resourceNames: readonly string[] = Object.entries(singularNames).flat()

/** @throws UsageError for an unknown name */
function toListName(name: string): ListName {
  const names = Object.entries(singularNames).find((entry) => entry.includes(name))
  if (names) return names[0] as ListName
  const expected = `one of ${Object.keys(singularNames).join(', ')}`
  const suggestion = didYouMean(String(name), resourceNames)
  throw unexpectedValue('explain a row', expected, name, suggestion, 'resource')
}
