import { defaultsOf } from '../defaults.ts'
import { type KeyHolder, Keys } from '../keys.ts'
import { UsageError } from '../usage-error.ts'
import { WorldAccess } from '../world/access.ts'
import type { Clock } from '../world/clock.ts'
import { completeRepositoryEntry } from '../world/complete.ts'
import { faultsOf } from '../world/faults.ts'
import type { LoadedWorld } from '../world/load.ts'
import { repositoryEntry } from '../world/schema/plugins.ts'
import { forkTables } from '../world/tables.ts'
import type { RepositoryJson } from '../world/world-json.ts'
import { worldLists } from '../world/world-lists.ts'
import type { AddedIds, NewRows } from './new-rows.ts'
import { rowLists } from './schema.ts'

/** The world that rows are added to. */
export interface Grown extends KeyHolder {
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
export function addRows(world: Grown, rows: NewRows): AddedIds {
  // First into a fork: what goes well there goes well here, and each write here is one that is told.
  const parsed = rowLists.safeParse(rows)
  const faults = parsed.success
    ? insert(forkOf(world), rows).faults
    : faultsOf(parsed.error, rows, 'rows')
  if (faults.length === 0) return insert(world, rows).ids
  const count = faults.length === 1 ? 'a fault' : `${faults.length} faults`
  throw new UsageError(`Failed to add rows: they have ${count}. Nothing was added.`, faults)
}

function insert(world: Grown, rows: NewRows): { ids: AddedIds; faults: string[] } {
  const ids: Record<string, (number | string)[]> = {}
  const faults: string[] = []
  const addTo = adders(world)
  for (const list of worldLists.filter((name) => rows[name] !== undefined)) {
    const added: (number | string)[] = []
    ids[list] = added
    for (const [index, row] of (rows[list] ?? []).entries()) {
      try {
        added.push(addTo(list, row))
      } catch (error) {
        if (!(error instanceof UsageError)) throw error
        faults.push(...pathsOf(error, `${list}[${index}]`))
      }
    }
  }
  return { ids, faults }
}

/** Adds one row to a list, and gives its id. */
function adders(world: Grown): (list: keyof NewRows, row: object) => number | string {
  const access = new WorldAccess(world, defaultsOf(world))
  const keys = new Keys(world)
  return (list, row) => {
    if (list === 'keys') return keys.issue(row)
    if (list === 'repository') return insertEntry(world, row as RepositoryJson)
    return access[list].create(row).id
  }
}

function insertEntry({ tables }: Grown, entry: RepositoryJson): number {
  const parsed = repositoryEntry.safeParse(entry)
  if (!parsed.success) throw new UsageError('', faultsOf(parsed.error, entry, 'row'))
  const id = tables.repository.nextId
  tables.repository.insert(completeRepositoryEntry(structuredClone(entry), id - 1))
  return id
}

function forkOf(world: Grown): Grown {
  const { seed, number, issued, retired, clock, loaded } = world
  const tables = forkTables(loaded.tables)
  const isElsewhere = (key: string): boolean => world.isElsewhere(key)
  return {
    tables,
    seed,
    number,
    issued,
    retired,
    isElsewhere,
    clock,
    loaded: { ...loaded, tables },
  }
}

/** The faults of a row, by where the row stands. */
function pathsOf({ message, faults, field }: UsageError, row: string): string[] {
  if (faults.length === 0) return [`${row}${field === null ? '' : `.${field}`}: ${message}`]
  return faults.map((fault) => row + (/^(row|key): /.test(fault) ? fault.slice(3) : `.${fault}`))
}
