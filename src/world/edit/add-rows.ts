import * as z from 'zod'
import {
  countIssues,
  type Issue,
  inspectValue,
  issuesError,
  issuesWithin,
  maxIssues,
  type Path,
  schemaIssues,
  UsageError,
} from '../../utils/errors.ts'
import { isObject } from '../../utils/json.ts'
import type { Clock } from '../clock/clock.ts'
import { type AccessibleRows, createDefaults } from '../defaults.ts'
import { type KeyRequest, type KeySandbox, Keys } from '../keys.ts'
import { completeRowIn, type LoadedWorld } from '../load/build-world.ts'
import { findRowIssues } from '../schema/row-issues.ts'
import { forkTables, worldLists } from '../tables.ts'
import type { RepositoryJson } from '../world-json.ts'
import { WorldAccess } from './world-access.ts'

export interface EditableSandbox extends KeySandbox {
  readonly loaded: LoadedWorld
  readonly clock: Clock
}

/**
 * Adds rows to a world: all of them or none.
 *
 * @throws UsageError with every issue, each with its path
 * @example addRows(sandbox, { projects: [{}], annotations: [{ content: 'Launch' }] })
 * // { projects: [3], annotations: [9] }
 */
export function addRows(sandbox: EditableSandbox, rows: NewRows): AddedIds {
  // The rows are tried in a fork first, so that the world and its observers see all rows or none.
  const found = schemaIssues(rowListsSchema, rows)
  const issues = found.length > 0 ? found : insert(forkSandbox(sandbox), rows).issues
  if (issues.length === 0) return insert(sandbox, rows).ids
  throw issuesError(`Failed to add rows: ${countIssues(issues)}. Nothing was added.`, issues)
}

function insert(sandbox: EditableSandbox, rows: NewRows): { ids: AddedIds; issues: Issue[] } {
  const ids: Record<string, (number | string)[]> = {}
  const issues: Issue[] = []
  const insertRow = createInserter(sandbox)
  for (const list of worldLists.filter((name) => rows[name] !== undefined)) {
    const listIds: (number | string)[] = []
    ids[list] = listIds
    for (const [index, row] of (rows[list] ?? []).entries()) {
      // A check of each row takes as long as a write.
      if (issues.length >= maxIssues) return { ids, issues: issues.slice(0, maxIssues) }
      try {
        if (!isObject(row)) throw new UsageError(`expected object, got ${inspectValue(row)}`)
        listIds.push(insertRow(list, row))
      } catch (error) {
        if (!(error instanceof UsageError)) throw error
        issues.push(...issuesAt(error, [list, index]))
      }
    }
  }
  return { ids, issues }
}

function createInserter(
  sandbox: EditableSandbox,
): (list: keyof NewRows, row: object) => number | string {
  const access = new WorldAccess(sandbox, createDefaults(sandbox))
  const keys = new Keys(sandbox)
  return (list, row) => {
    if (list === 'keys') return keys.issue(row)
    if (list === 'repository') return insertRepositoryEntry(sandbox, row as RepositoryJson)
    return access[list].create(row).id
  }
}

function insertRepositoryEntry({ tables }: EditableSandbox, entry: RepositoryJson): number {
  const issues = findRowIssues(tables, 'repository', entry)
  if (issues.length > 0) throw issuesError('', issues)
  const id = tables.repository.nextId
  tables.repository.put(completeRowIn(tables, 'repository', entry))
  return id
}

function forkSandbox(sandbox: EditableSandbox): EditableSandbox {
  const { seed, number, issuedKeys, retiredKeys, clock, loaded } = sandbox
  const tables = forkTables(loaded.tables)
  return {
    tables,
    seed,
    number,
    issuedKeys,
    retiredKeys,
    isTakenElsewhere: (key) => sandbox.isTakenElsewhere(key),
    clock,
    loaded: { ...loaded, tables },
  }
}

/** The issues of a row, with the path of the row. */
function issuesAt({ message, details, field }: UsageError, path: Path): Issue[] {
  if (details.length > 0) return issuesWithin(path, details)
  return [{ path: field === null ? path : [...path, field], text: message }]
}

/** Rows to add, by list. Missing fields get the defaults of `world.*.create`. */
export type NewRows = {
  readonly [List in keyof AccessibleRows]?: readonly Partial<AccessibleRows[List]>[]
} & {
  readonly keys?: readonly KeyRequest[]
  readonly repository?: readonly RepositoryJson[]
}

/** Rows to update, by list: the id of each row and its changed fields. */
export type UpdatedRows = {
  readonly [List in keyof AccessibleRows]?: readonly (Pick<AccessibleRows[List], 'id'> &
    Partial<AccessibleRows[List]>)[]
}

/** The ids of rows to delete permanently, by list. */
export type DeletedRows = {
  readonly [List in keyof AccessibleRows]?: readonly AccessibleRows[List]['id'][]
}

/** The ids of added rows, by list, in the order of the rows. For keys, their values. */
export type AddedIds = { readonly [list: string]: readonly (number | string)[] }

/** The schema of lists of any values, for rows that are checked one by one when they are added. */
const rowListsSchema = z.strictObject(
  Object.fromEntries(worldLists.map((list) => [list, z.array(z.unknown()).optional()])),
)
