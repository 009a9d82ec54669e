import type { Clock } from '../clock/clock.ts'
import { type CountedRows, type NewRowContext, rowDefaults, uuidFromNumber } from '../defaults.ts'
import type { LoadedWorld } from '../load/build-world.ts'
import { completeOrganization } from '../load/complete-rows.ts'
import type { OrganizationRow } from '../rows.ts'
import { findDanglingReferences, findReferencingRows, hasRow } from '../schema/references.ts'
import { rowSchemas } from '../schema/row-schemas.ts'
import type { ListName } from '../table/lists.ts'
import type { Table } from '../table/table.ts'
import type { RowStore } from './row-access.ts'
import { rowFormats } from './row-formats.ts'

/** What the stores need of a sandbox. Its tables are other objects after a reset. */
export interface RowStoreContext {
  readonly sandbox: { readonly loaded: LoadedWorld; readonly clock: Clock }
  /** The project and organization of a new row without one */
  readonly defaults: NewRowContext['defaults']
}

/** The store of a list whose ids are counted up. */
export function createCountedStore<List extends keyof CountedRows>(
  list: List,
  context: RowStoreContext,
): RowStore<CountedRows[List], number> {
  type Row = CountedRows[List]
  const { sandbox } = context
  const format = rowFormats[list]
  const table = () => sandbox.loaded.tables[list] as unknown as Table<{ id: number }>
  const toRow = (json: Row) => format.toRow(json as never, sandbox.loaded.tables)
  const toJson = (row: object) => format.toJson(row as never) as Row
  return {
    ...createRelations<Row, number>(list, context),
    list,
    schema: rowSchemas[list],
    get size() {
      return table().size
    },
    get(id) {
      const row = table().get(id)
      return row && toJson(row)
    },
    values: () => [...table().values()].map(toJson),
    insert: (row) => table().insert(toRow(row)),
    replace(row) {
      table().replace(toRow(row))
      if (list === 'projects') moveAnnotationsWithProject(row.id, context)
    },
    remove: (id) => table().remove(id),
    defaults: () =>
      rowDefaults[list]({ ...newRowContext(context), id: table().nextId }) as Partial<Row>,
    idOf: ({ id }) => id,
  }
}

/** Annotations have the organization of their project. */
function moveAnnotationsWithProject(id: number, { sandbox }: RowStoreContext): void {
  const { annotations, projects } = sandbox.loaded.tables
  const organization = projects.get(id)?.organization ?? ''
  for (const row of [...annotations.values()]) {
    if (row.project !== id || row.organization === organization) continue
    annotations.replace({ ...row, organization })
  }
}

/** The store of organizations, whose ids are UUIDs. */
export function createOrganizationStore(
  context: RowStoreContext,
): RowStore<OrganizationRow, string> {
  const table = () => context.sandbox.loaded.tables.organizations
  return {
    ...createRelations<OrganizationRow, string>('organizations', context),
    list: 'organizations',
    schema: rowSchemas.organizations,
    get size() {
      return table().size
    },
    get: (id) => table().get(id),
    values: () => table().values(),
    insert: (row) => table().set(completeOrganization(row)),
    replace: (row) => table().set(row),
    remove: (id) => table().delete(id),
    defaults() {
      let id = table().size + 1
      while (table().get(uuidFromNumber(id)) !== undefined) id += 1
      return rowDefaults.organizations({ ...newRowContext(context), id })
    },
    idOf: ({ id }) => id,
  }
}

function createRelations<Row extends object, Id extends number | string>(
  list: string,
  { sandbox }: RowStoreContext,
): Pick<RowStore<Row, Id>, 'danglingReferences' | 'referencingRows'> {
  return {
    danglingReferences: (row) =>
      findDanglingReferences(list, row, (target, id) => hasRow(sandbox.loaded.tables, target, id)),
    referencingRows: (id) =>
      findReferencingRows(list, id, (other) => sandbox.loaded.tables[other as ListName].values()),
  }
}

function newRowContext({ sandbox, defaults }: RowStoreContext): Omit<NewRowContext, 'id'> {
  return { seed: sandbox.loaded.seed, clock: sandbox.clock, defaults }
}
