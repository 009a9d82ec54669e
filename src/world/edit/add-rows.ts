import { describeIssues } from '../../utils/schema-issues.ts'
import { UsageError } from '../../utils/usage-error.ts'
import type { Clock } from '../clock/clock.ts'
import { createDefaults } from '../defaults.ts'
import { type KeySandbox, Keys } from '../keys.ts'
import type { LoadedWorld } from '../load/build-world.ts'
import { completeRepositoryEntry } from '../load/complete-rows.ts'
import { repositoryEntrySchema } from '../schema/row-schemas.ts'
import { worldLists } from '../table/lists.ts'
import { forkTables } from '../table/tables.ts'
import type { RepositoryJson } from '../world-json.ts'
import type { AddedIds, NewRows } from './row-changes.ts'
import { rowListsSchema } from './row-changes.ts'
import { WorldAccess } from './world-access.ts'

/** The world that rows are added to. */
export interface EditableSandbox extends KeySandbox {
  readonly loaded: LoadedWorld
  readonly clock: Clock
}

/**
 * Adds rows to a world: all of them or none.
 *
 * @throws UsageError with every fault, each with its path
 * @example addRows(sandbox, { projects: [{}], annotations: [{ content: 'Launch' }] })
 * // { projects: [3], annotations: [9] }
 */
export function addRows(world: EditableSandbox, rows: NewRows): AddedIds {
  // First into a fork: what goes well there goes well here, and each write here is one that is told.
  const parsed = rowListsSchema.safeParse(rows)
  const faults = parsed.success
    ? insert(forkSandbox(world), rows).faults
    : describeIssues(parsed.error, rows, 'rows')
  if (faults.length === 0) return insert(world, rows).ids
  const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`
  throw new UsageError(`Failed to add rows: they have ${count}. Nothing was added.`, faults)
}

function insert(world: EditableSandbox, rows: NewRows): { ids: AddedIds; faults: string[] } {
  const ids: Record<string, (number | string)[]> = {}
  const faults: string[] = []
  const addTo = createAdder(world)
  for (const list of worldLists.filter((name) => rows[name] !== undefined)) {
    const added: (number | string)[] = []
    ids[list] = added
    for (const [index, row] of (rows[list] ?? []).entries()) {
      try {
        added.push(addTo(list, row))
      } catch (error) {
        if (!(error instanceof UsageError)) throw error
        faults.push(...issuesAt(error, `${list}[${index}]`))
      }
    }
  }
  return { ids, faults }
}

/** Adds one row to a list, and gives its id. */
function createAdder(
  world: EditableSandbox,
): (list: keyof NewRows, row: object) => number | string {
  const access = new WorldAccess(world, createDefaults(world))
  const keys = new Keys(world)
  return (list, row) => {
    if (list === 'keys') return keys.issue(row)
    if (list === 'repository') return insertRepositoryEntry(world, row as RepositoryJson)
    return access[list].create(row).id
  }
}

function insertRepositoryEntry({ tables }: EditableSandbox, entry: RepositoryJson): number {
  const parsed = repositoryEntrySchema.safeParse(entry)
  if (!parsed.success) throw new UsageError('', describeIssues(parsed.error, entry, 'row'))
  const id = tables.repository.nextId
  tables.repository.insert(completeRepositoryEntry(structuredClone(entry), id - 1))
  return id
}

function forkSandbox(world: EditableSandbox): EditableSandbox {
  const { seed, number, issuedKeys, retiredKeys, clock, loaded } = world
  const tables = forkTables(loaded.tables)
  const isTakenElsewhere = (key: string): boolean => world.isTakenElsewhere(key)
  return {
    tables,
    seed,
    number,
    issuedKeys,
    retiredKeys,
    isTakenElsewhere,
    clock,
    loaded: { ...loaded, tables },
  }
}

/** The faults of a row, by where the row stands. */
function issuesAt({ message, issues, field }: UsageError, row: string): string[] {
  if (issues.length === 0) return [`${row}${field === null ? '' : `.${field}`}: ${message}`]
  return issues.map((fault) => row + (/^(row|key): /.test(fault) ? fault.slice(3) : `.${fault}`))
}
