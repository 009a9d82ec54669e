import type { Clock } from './clock.ts'
import { completeOrganization } from './complete.ts'
import { hasRow } from './exists.ts'
import { countedLists } from './lists.ts'
import type { LoadedWorld } from './load.ts'
import { missingReferences, type NamedList, rowsNaming } from './references.ts'
import type { RowStore } from './row-access.ts'
import { type CountedRows, type Making, rowDefaults, uuidOf } from './row-defaults.ts'
import type { OrganizationRow } from './rows.ts'
import { organization } from './schema/people.ts'
import type { Table } from './table.ts'
import type { CountedList } from './world-json.ts'

/** What is looked into; its tables are another object after a reset. */
export interface Surroundings {
  readonly sandbox: { readonly loaded: LoadedWorld; readonly clock: Clock }
  /** Where a row goes that does not say. */
  readonly defaults: Making['defaults']
}

/** A list whose ids are counted. */
export function countedStore<List extends keyof CountedRows>(
  list: List,
  world: Surroundings,
): RowStore<CountedRows[List], number> {
  type Row = CountedRows[List]
  const { schema, toRow, toJson } = countedLists[list]
  const table = () => world.sandbox.loaded.tables[list] as unknown as Table<{ id: number }>
  const stored = (row: Row) => toRow(row as never, world.sandbox.loaded.tables)
  const json = (row: object) => toJson(row as never) as Row
  return {
    ...relations<Row, number>(list, world),
    list,
    schema,
    get size() {
      return table().size
    },
    get(id) {
      const row = table().get(id)
      return row && json(row)
    },
    values: () => [...table().values()].map(json),
    insert: (row) => table().insert(stored(row)),
    replace(row) {
      table().replace(stored(row))
      if (list === 'projects') followProject(row.id, world)
    },
    remove: (id) => table().remove(id),
    defaults: () => rowDefaults[list]({ ...making(world), id: table().nextId }) as Partial<Row>,
    idOf: ({ id }) => id,
  }
}

/** Annotations belong to the organization of their project: where that moves, they move with it. */
function followProject(id: number, { sandbox }: Surroundings): void {
  const { annotations, projects } = sandbox.loaded.tables
  const organization = projects.get(id)?.organization ?? ''
  for (const row of [...annotations.values()]) {
    if (row.project !== id || row.organization === organization) continue
    annotations.replace({ ...row, organization })
  }
}

/** Organizations, whose ids are UUIDs. */
export function organizationStore(world: Surroundings): RowStore<OrganizationRow, string> {
  const rows = () => world.sandbox.loaded.tables.organizations
  return {
    ...relations<OrganizationRow, string>('organizations', world),
    list: 'organizations',
    schema: organization,
    get size() {
      return rows().size
    },
    get: (id) => rows().get(id),
    values: () => rows().values(),
    insert: (row) => rows().set(completeOrganization(row)),
    replace: (row) => rows().set(row),
    remove: (id) => rows().delete(id),
    defaults() {
      let id = rows().size + 1
      while (rows().get(uuidOf(id)) !== undefined) id += 1
      return rowDefaults.organizations({ ...making(world), id })
    },
    idOf: ({ id }) => id,
  }
}

/** What a row names, and what names it. */
function relations<Row extends object, Id extends number | string>(
  list: string,
  { sandbox }: Surroundings,
): Pick<RowStore<Row, Id>, 'missing' | 'naming'> {
  const exists = (target: NamedList, id: number | string) =>
    hasRow(sandbox.loaded.tables, target, id)
  const rows = (other: string) => sandbox.loaded.tables[other as CountedList].values()
  return {
    missing: (row) => missingReferences(list, row, exists),
    naming: (id) => rowsNaming(list, id, rows),
  }
}

function making({ sandbox, defaults }: Surroundings): Omit<Making, 'id'> {
  return { seed: sandbox.loaded.seed, clock: sandbox.clock, defaults }
}
