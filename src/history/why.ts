import { type RowJson, renderRow } from '../journal/changes.ts'
import type { MaskedKey } from '../journal/entry.ts'
import type { Journal } from '../journal/journal.ts'
import { documentedOperation, type JournalSource, Renderer } from '../journal/renderer.ts'
import { rowIdOf } from '../world/row-id.ts'
import { formatIsoTime } from '../world/time.ts'
import type { ListName } from '../world/watch.ts'
import type { RowChange, WriteCause } from './history.ts'
import { toListName } from './resources.ts'
import { lastWritePerField } from './writes.ts'

/** Why a row is as it is. */
export interface RowProvenance {
  readonly list: ListName
  readonly id: number | string
  /** The row in the world format; null for one that was taken out */
  readonly row: RowJson | null
  /** Who took the row out; null while it is there */
  readonly removed: WriteSource | null
  /** What each field is, or was last, and who made it so */
  readonly fields: readonly FieldProvenance[]
}

/** The value of a field, and what it comes from. */
export interface FieldProvenance {
  readonly field: string
  readonly value: unknown
  readonly since: WriteSource
}

/**
 * What wrote a value: a request, a second actor, or whoever edited the world without one. `the beginning` where
 * nothing did since the rows were put in place; `no longer known` where more was written than is kept.
 */
export type WriteSource =
  | RequestSource
  | { readonly actor: string }
  | { readonly edit: 'world' }
  | 'the beginning'
  | 'no longer known'

/** A request; all but its number is null where the journal no longer keeps it. */
export interface RequestSource {
  readonly entry: number
  readonly operation: string | null
  readonly at: string | null
  readonly key: MaskedKey | null
}

/**
 * Which write each field of a row comes from.
 *
 * @param resource the name of a list, or of one row of it
 * @returns undefined for a row that never was, as far as is known
 * @throws UsageError for an unknown list
 */
export function findProvenance(
  resource: string,
  id: number | string,
  sandbox: JournalSource,
): RowProvenance | undefined {
  const list = toListName(resource)
  const renderer = new Renderer(sandbox)
  const wanted = list === 'keys' || list === 'organizations' ? String(id) : Number(id)
  const changes = [...sandbox.history.latest()].filter((change) => isChangeOf(change, list, wanted))
  const table = sandbox.tables[list] as { get(id: number | string): object | undefined }
  const row = table.get(wanted)
  const last = row ?? changes[0]?.before
  const shown = renderRow(list, last, renderer.redactor)
  if (last === undefined || shown === null) return undefined
  const unchanged = sandbox.history.evictedCount > 0 ? 'no longer known' : 'the beginning'
  const since = (change: RowChange | undefined): WriteSource =>
    change ? toWriteSource(change.cause, sandbox.journal, renderer) : unchanged
  const writes = lastWritePerField(changes, Object.keys(shown))
  const fields = Object.entries(shown).map(([field, value]) => {
    return { field, value, since: since(writes.get(field)) }
  })
  return {
    list,
    id: list === 'keys' ? String(shown.value) : rowIdOf(list, last),
    row: row ? shown : null,
    removed: row ? null : since(changes[0]),
    fields,
  }
}

function isChangeOf(
  { list, before, after }: RowChange,
  wanted: ListName,
  id: number | string,
): boolean {
  return list === wanted && rowIdOf(list, (after ?? before) as object) === id
}

function toWriteSource(cause: WriteCause, journal: Journal, renderer: Renderer): WriteSource {
  if (!('entry' in cause)) return cause
  const record = journal.records.find(({ id }) => id === cause.entry)
  if (!record) return { entry: cause.entry, operation: null, at: null, key: null }
  const [operation, at] = [documentedOperation(record), formatIsoTime(record.at)]
  return { entry: cause.entry, operation, at, key: renderer.key(record) }
}
