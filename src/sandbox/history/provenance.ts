import { didYouMean, unexpectedValue } from '../../utils/usage-error.ts'
import { formatIsoTime } from '../../world/clock/time.ts'
import { isSameJson, type RowJson, toRowJson } from '../../world/edit/row-json.ts'
import type { ListName } from '../../world/table/lists.ts'
import { rowIdOf } from '../../world/table/row-lookup.ts'
import type { MaskedKey } from '../journal/entry.ts'
import type { Journal } from '../journal/journal.ts'
import { documentedOperation, type JournalSource, Renderer } from '../journal/renderer.ts'
import { renderRow } from '../journal/row-changes.ts'
import type { RowChange, WriteCause } from './history.ts'

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
  const changes = [...sandbox.history.latestWrites()].filter((change) =>
    isChangeOf(change, list, wanted),
  )
  const table = sandbox.tables[list] as { get(id: number | string): object | undefined }
  const row = table.get(wanted)
  const last = row ?? changes[0]?.before
  const shown = renderRow(list, last, renderer.redactor)
  if (last === undefined || shown === null) return undefined
  const unchanged = sandbox.history.isTruncated ? 'no longer known' : 'the beginning'
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

/**
 * Which of the changes to a row made each field what it is. Taking a row out makes nothing. Each row is written
 * out once, and none that is older than all that is asked for.
 *
 * @param changes those to one row, the latest first
 * @returns nothing for fields that none of them made
 */
function lastWritePerField(
  changes: readonly RowChange[],
  fields: readonly string[],
): ReadonlyMap<string, RowChange> {
  const found = new Map<string, RowChange>()
  const open = new Set(fields)
  let known: ReturnType<typeof toRowJson> = null
  let knownOf: object | undefined
  for (const change of changes) {
    if (open.size === 0) break
    const { list, before, after } = change
    // What one change made is what the next one found: it is written out already.
    const now = after === knownOf ? known : toRowJson(list, after)
    known = toRowJson(list, before)
    knownOf = before
    if (now === null) continue
    for (const field of open) {
      if (known !== null && isSameJson(known[field], now[field])) continue
      found.set(field, change)
      open.delete(field)
    }
  }
  return found
}

/** The lists of a world, and what one row of each is called. */
const resources: Readonly<Record<ListName, string>> = {
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

/** The names that a list can be asked for by. */
export const resourceNames: readonly string[] = Object.entries(resources).flat()

/**
 * The list of a name, which may be that of one row.
 *
 * @throws UsageError for an unknown name
 * @example toListName('annotation') // 'annotations'
 */
function toListName(name: string): ListName {
  const found = Object.entries(resources).find((names) => names.includes(name))
  if (found) return found[0] as ListName
  const expected = `one of ${Object.keys(resources).join(', ')}`
  throw unexpectedValue(
    'explain a row',
    expected,
    name,
    didYouMean(String(name), resourceNames),
    'resource',
  )
}
