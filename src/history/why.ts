import { type ShownRow, showRow } from '../journal/changes.ts'
import type { ShownKey } from '../journal/entry.ts'
import type { Journal } from '../journal/journal.ts'
import { operationOf, Renderer, type Surroundings } from '../journal/renderer.ts'
import { idOf } from '../world/row-id.ts'
import { toIso } from '../world/time.ts'
import type { ListName } from '../world/watch.ts'
import type { Cause, Change } from './history.ts'
import { toListName } from './resources.ts'
import { lastWrites } from './writes.ts'

/** Why a row is as it is. */
export interface Explanation {
  readonly list: ListName
  readonly id: number | string
  /** The row in the world format; null for one that was taken out */
  readonly row: ShownRow | null
  /** Who took the row out; null while it is there */
  readonly removed: Since | null
  /** What each field is, or was last, and who made it so */
  readonly fields: readonly ExplainedField[]
}

/** The value of a field, and what it comes from. */
export interface ExplainedField {
  readonly field: string
  readonly value: unknown
  readonly since: Since
}

/**
 * What wrote a value: a request, a second actor, or whoever edited the world without one. `the beginning` where
 * nothing did since the rows were put in place; `no longer known` where more was written than is kept.
 */
export type Since =
  | SinceEntry
  | { readonly actor: string }
  | { readonly edit: 'world' }
  | 'the beginning'
  | 'no longer known'

/** A request; all but its number is null where the journal no longer keeps it. */
export interface SinceEntry {
  readonly entry: number
  readonly operation: string | null
  readonly at: string | null
  readonly key: ShownKey | null
}

/**
 * Which write each field of a row comes from.
 *
 * @param resource the name of a list, or of one row of it
 * @returns undefined for a row that never was, as far as is known
 * @throws UsageError for an unknown list
 */
export function explain(
  resource: string,
  id: number | string,
  sandbox: Surroundings,
): Explanation | undefined {
  const list = toListName(resource)
  const renderer = new Renderer(sandbox)
  const wanted = list === 'keys' || list === 'organizations' ? String(id) : Number(id)
  const changes = [...sandbox.history.latest()].filter((change) => isOf(change, list, wanted))
  const table = sandbox.tables[list] as { get(id: number | string): object | undefined }
  const row = table.get(wanted)
  const last = row ?? changes[0]?.before
  const shown = showRow(list, last, renderer.redactor)
  if (last === undefined || shown === null) return undefined
  const unchanged = sandbox.history.forgotten > 0 ? 'no longer known' : 'the beginning'
  const since = (change: Change | undefined): Since =>
    change ? sinceOf(change.cause, sandbox.journal, renderer) : unchanged
  const writes = lastWrites(changes, Object.keys(shown))
  const fields = Object.entries(shown).map(([field, value]) => {
    return { field, value, since: since(writes.get(field)) }
  })
  return {
    list,
    id: list === 'keys' ? String(shown.value) : idOf(list, last),
    row: row ? shown : null,
    removed: row ? null : since(changes[0]),
    fields,
  }
}

function isOf({ list, before, after }: Change, wanted: ListName, id: number | string): boolean {
  return list === wanted && idOf(list, (after ?? before) as object) === id
}

function sinceOf(cause: Cause, journal: Journal, renderer: Renderer): Since {
  if (!('entry' in cause)) return cause
  const record = journal.records.find(({ id }) => id === cause.entry)
  if (!record) return { entry: cause.entry, operation: null, at: null, key: null }
  const [operation, at] = [operationOf(record), toIso(record.at)]
  return { entry: cause.entry, operation, at, key: renderer.key(record) }
}
