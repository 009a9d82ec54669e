import * as z from 'zod'
import {
  countIssues,
  type Issue,
  inspectValue,
  issuesError,
  issuesOf,
  issuesWithin,
  maxIssues,
  UsageError,
  unexpectedValue,
} from '../../utils/errors.ts'
import { isObject } from '../../utils/json.ts'
import { listOf } from '../../utils/options.ts'
import { parseOptions, schemaIssues } from '../../utils/schema-issues.ts'
import { type KeyRequest, type KeyState, Keys } from '../keys.ts'
import { completeRowIn } from '../load/load-world.ts'
import type { Rows, WriteObserver } from '../rows.ts'
import { findRowIssues } from '../schema/row-issues.ts'
import { once, rowEditSchemas } from '../schema/world-schema.ts'
import { type AnyTable, forkTables, observeTables, rowIdOf, worldLists } from '../tables.ts'
import { toGivenLists, toGivenRow } from '../world-format.ts'
import type { EditableList, GivenFields, Row, RowJson } from '../world-json.ts'
import { type RowState, RowWriter, WorldAccess } from './world-access.ts'

/** The state of a simulator, as far as its rows can be edited. */
export interface EditableState extends RowState, KeyState {}

/** A change of rows: it adds some, then sets fields of some, then deletes some permanently. */
export interface RowEdits {
  readonly rows?: NewRows | undefined
  readonly update?: UpdatedRows | undefined
  readonly delete?: DeletedRows | undefined
}

/** A change of rows of one kind, as in a step of a scenario. */
export type RowEdit =
  | { readonly rows: NewRows }
  | { readonly update: UpdatedRows }
  | { readonly delete: DeletedRows }

/** Rows to add, by list. Missing fields get the defaults of `world.*.add`. */
export type NewRows = {
  readonly [List in EditableList]?: readonly GivenFields<Row<List>>[]
} & {
  readonly keys?: readonly KeyRequest[]
  readonly repository?: readonly RowJson<'repository'>[]
}

type UpdatedRows = {
  readonly [List in EditableList]?: readonly (Pick<Rows[List], 'id'> & GivenFields<Row<List>>)[]
}

type DeletedRows = {
  readonly [List in EditableList]?: readonly Rows[List]['id'][]
}

/** The ids of added rows, by list, in the order of the rows. For keys, their values. */
export type AddedIds = { readonly [list: string]: readonly (number | string)[] }

/** How many rows are added, updated and deleted at once: other requests wait for it. */
const maxRows = 5_000

/** The issues of edits that have too many rows. They can be invalid. */
export function findTooMany(edits: readonly RowEdits[]): Issue[] {
  const lists = edits.flatMap(valuesOf).flatMap(valuesOf)
  const count = lists.reduce(
    (sum: number, list) => sum + (Array.isArray(list) ? list.length : 0),
    0,
  )
  return count > maxRows
    ? [{ path: [], text: `expected at most ${maxRows} rows, got ${count}` }]
    : []
}

const valuesOf = (value: unknown) => (isObject(value) ? Object.values(value) : [])

/**
 * Makes edits of rows of a world, without a request: all of them or none.
 *
 * @returns the ids of the rows that the last edit with rows added
 * @throws UsageError for a row that does not exist, for a value that its field cannot have, and for too many rows
 */
export function editRows(state: EditableState, edits: readonly RowEdits[]): AddedIds {
  for (const { text } of findTooMany(edits)) {
    const cure = 'Make several edits, or replace the world by one with generate.'
    throw new UsageError(`Failed to edit rows: ${text}. ${cure}`)
  }
  let ids: AddedIds = {}
  // In a fork first, so that the world and its observers see all edits or none.
  const fork = forkRows(state)
  const writes: Parameters<WriteObserver['noteWrite']>[] = []
  observeTables(fork.tables, { noteWrite: (...write) => void writes.push(write) })
  for (const edit of edits) ids = makeEdit(fork, edit) ?? ids
  const { tables } = state
  for (const [list, before, after] of writes) {
    const table: AnyTable = tables[list]
    if (after) table.put(after)
    else table.remove(rowIdOf(list, before as object))
  }
  tables.pluginRevision = fork.tables.pluginRevision
  state.issuedKeys = fork.issuedKeys
  return ids
}

function makeEdit(state: EditableState, edit: RowEdits): AddedIds | undefined {
  const { rows, update = {}, delete: deleted = {} } = edit
  const ids = rows && insertRows(state, rows)
  for (const list of Object.keys(update) as EditableList[]) {
    const rows = new RowWriter(list, state)
    for (const { id, ...fields } of update[list] ?? []) rows.update(id, fields)
  }
  for (const list of Object.keys(deleted) as EditableList[]) {
    const rows = new RowWriter(list, state)
    for (const id of deleted[list] ?? []) {
      if (!rows.delete(id)) throw unexpectedValue(`delete a row of ${list}`, 'an existing id', id)
    }
  }
  return ids
}

function insertRows(state: EditableState, rows: NewRows): AddedIds {
  const wrong = schemaIssues(rowListsSchema, rows)
  const { ids, issues } = wrong.length > 0 ? { ids: {}, issues: wrong } : insert(state, rows)
  if (issues.length === 0) return ids
  throw issuesError(`Failed to add rows: ${countIssues(issues)}. Nothing was added.`, issues)
}

/** Its rows are checked one by one when they are added. */
const rowListsSchema = z.strictObject(
  Object.fromEntries(worldLists.map((list) => [list, listOf(z.unknown()).optional()])),
)

function forkRows(state: EditableState): EditableState {
  const { seed, number, issuedKeys, clock, settings, loaded } = state
  const tables = forkTables(loaded.tables)
  const isTakenElsewhere = (key: string) => state.isTakenElsewhere(key)
  const counters = { seed, number, issuedKeys }
  return { ...counters, tables, isTakenElsewhere, clock, settings, loaded: { ...loaded, tables } }
}

function insert(state: EditableState, rows: NewRows): { ids: AddedIds; issues: Issue[] } {
  const ids: Record<string, (number | string)[]> = {}
  const issues: Issue[] = []
  const keys = new Keys(state)
  for (const list of worldLists.filter((name) => rows[name] !== undefined)) {
    const writer = list === 'keys' || list === 'repository' ? null : new RowWriter(list, state)
    const insertRow = (row: unknown) => {
      if (!isObject(row)) throw new UsageError(`expected object, got ${inspectValue(row)}`)
      if (writer) return writer.add(row)
      return list === 'keys' ? keys.issue(row) : insertRepositoryEntry(state, toGivenRow(row))
    }
    const listIds: (number | string)[] = []
    ids[list] = listIds
    for (const [index, row] of (rows[list] ?? []).entries()) {
      // A check of each row takes as long as a write.
      if (issues.length >= maxIssues) return { ids, issues: issues.slice(0, maxIssues) }
      const errors = issuesOf(() => listIds.push(insertRow(row)))
      issues.push(...issuesWithin([list, index], errors))
    }
  }
  return { ids, issues }
}

function insertRepositoryEntry(state: EditableState, entry: object) {
  const { tables } = state
  const issues = findRowIssues(state, 'repository', entry)
  if (issues.length > 0) throw issuesError('', issues)
  const id = tables.repository.nextId
  tables.repository.put(completeRowIn(tables, 'repository', entry))
  return id
}

const editsSchema = once(() => {
  const edits = z.strictObject({ ...rowEditSchemas(), rows: z.unknown() })
  return edits.partial() as z.ZodType<RowEdits>
})

/** The rows of a simulator, without a request: those of one list, or of several at once. */
export class World extends WorldAccess {
  readonly #state: EditableState

  constructor(state: EditableState) {
    super(state)
    this.#state = state
  }

  /**
   * Adds rows, list by list: all of them or none.
   *
   * @throws UsageError with up to 100 issues
   * @example simulator.world.add({ projects: [{ name: 'Docs' }], annotations: [{ content: 'Beta' }] })
   */
  add(rows: NewRows): AddedIds {
    return editRows(this.#state, [{ rows }])
  }

  /**
   * Adds rows, then sets fields of some, then deletes some permanently: all of it or nothing.
   *
   * @returns the ids of the added rows, by list
   * @throws UsageError for a row that does not exist, and for a value that its field cannot have
   * @example simulator.world.edit({ update: { annotations: [{ id: 1, content: 'Beta' }] }, delete: { plugins: [23] } })
   */
  edit(edits: RowEdits): AddedIds {
    const input = { ...edits, ...(edits.update && { update: toGivenLists(edits.update) }) }
    return editRows(this.#state, [parseOptions(editsSchema(), input, 'edit rows')])
  }
}
