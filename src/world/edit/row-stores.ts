import type { Clock } from '../clock/clock.ts'
import { type CountedRows, type NewRowContext, rowDefaults, uuidFromNumber } from '../defaults.ts'
import type { LoadedWorld } from '../load/build-world.ts'
import { completeOrganization } from '../load/complete-rows.ts'
import type { OrganizationRow } from '../rows.ts'
import {
  findDanglingReferences,
  findReferencingRows,
  hasRow,
  type ReferencedList,
} from '../schema/references.ts'
import { organizationSchema } from '../schema/row-schemas.ts'
import type { Table } from '../table/table.ts'
import type { CountedList } from '../world-json.ts'
import type { RowStore } from './row-access.ts'
import { rowFormats } from './row-formats.ts'

/** What is looked into; its tables are another object after a reset. */
export interface RowStoreContext {
  readonly sandbox: { readonly loaded: LoadedWorld; readonly clock: Clock }
  /** Where a row goes that does not say. */
  readonly defaults: NewRowContext['defaults']
}

/** A list whose ids are counted. */
export function createCountedStore<List extends keyof CountedRows>(
  list: List,
  world: RowStoreContext,
): RowStore<CountedRows[List], number> {
  type Row = CountedRows[List]
  const { schema, toRow, toJson } = rowFormats[list]
  const table = () => world.sandbox.loaded.tables[list] as unknown as Table<{ id: number }>
  const stored = (row: Row) => toRow(row as never, world.sandbox.loaded.tables)
  const json = (row: object) => toJson(row as never) as Row
  return {
    ...createRelations<Row, number>(list, world),
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
      if (list === 'projects') moveAnnotationsWithProject(row.id, world)
    },
    remove: (id) => table().remove(id),
    defaults: () =>
      rowDefaults[list]({ ...newRowContext(world), id: table().nextId }) as Partial<Row>,
    idOf: ({ id }) => id,
  }
}

/** Annotations belong to the organization of their project: where that moves, they move with it. */
function moveAnnotationsWithProject(id: number, { sandbox }: RowStoreContext): void {
  const { annotations, projects } = sandbox.loaded.tables
  const organization = projects.get(id)?.organization ?? ''
  for (const row of [...annotations.values()]) {
    if (row.project !== id || row.organization === organization) continue
    annotations.replace({ ...row, organization })
  }
}

/** Organizations, whose ids are UUIDs. */
export function createOrganizationStore(world: RowStoreContext): RowStore<OrganizationRow, string> {
  const rows = () => world.sandbox.loaded.tables.organizations
  return {
    ...createRelations<OrganizationRow, string>('organizations', world),
    list: 'organizations',
    schema: organizationSchema,
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
      while (rows().get(uuidFromNumber(id)) !== undefined) id += 1
      return rowDefaults.organizations({ ...newRowContext(world), id })
    },
    idOf: ({ id }) => id,
  }
}

/** What a row names, and what names it. */
function createRelations<Row extends object, Id extends number | string>(
  list: string,
  { sandbox }: RowStoreContext,
): Pick<RowStore<Row, Id>, 'danglingReferences' | 'referencingRows'> {
  const exists = (target: ReferencedList, id: number | string) =>
    hasRow(sandbox.loaded.tables, target, id)
  const rows = (other: string) => sandbox.loaded.tables[other as CountedList].values()
  return {
    danglingReferences: (row) => findDanglingReferences(list, row, exists),
    referencingRows: (id) => findReferencingRows(list, id, rows),
  }
}

function newRowContext({ sandbox, defaults }: RowStoreContext): Omit<NewRowContext, 'id'> {
  return { seed: sandbox.loaded.seed, clock: sandbox.clock, defaults }
}
