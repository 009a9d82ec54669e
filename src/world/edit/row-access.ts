import type * as z from 'zod'
import { describeIssues, suggestFields } from '../../utils/schema-issues.ts'
import { UsageError } from '../../utils/usage-error.ts'
import type { Clock } from '../clock/clock.ts'
import { type CountedRows, type NewRowContext, rowDefaults } from '../defaults.ts'
import type { LoadedWorld } from '../load/build-world.ts'
import { completeOrganization, uuidFromNumber } from '../load/complete-rows.ts'
import type { OrganizationRow } from '../rows.ts'
import { findDanglingReferences, findReferencingRows, hasRow } from '../schema/references.ts'
import { rowSchemas } from '../schema/row-schemas.ts'
import type { ListName } from '../table/lists.ts'
import type { Table } from '../table/table.ts'
import { rowFormats } from './row-json.ts'

/** The storage and the rules of one list. Rows have the world format. */
interface RowStore<Row, Id> {
  readonly list: string
  readonly schema: z.ZodType
  readonly size: number
  get(id: Id): Row | undefined
  values(): Iterable<Row>
  insert(row: Row): void
  replace(row: Row): void
  remove(id: Id): void
  /** The defaults of a new row */
  defaults(): Partial<Row>
  idOf(row: Row): Id
  /** The references of a row to missing rows, as issues */
  danglingReferences(row: Row): readonly string[]
  /** The rows that reference a row */
  referencingRows(id: Id): readonly string[]
}

/**
 * Reads and writes the rows of one list directly: without a request, a key, or policies. Rows have the world format,
 * and written rows are checked like a world file. Returned rows are copies.
 *
 * @example simulator.world.annotations.create({ content: 'Launch' })
 */
export class RowAccess<Row extends object, Id> {
  readonly #store: RowStore<Row, Id>

  constructor(store: RowStore<Row, Id>) {
    this.#store = store
  }

  /** The number of rows, including deleted annotations. */
  get count(): number {
    return this.#store.size
  }

  /** Returns a row, or undefined if there is no such row. */
  get(id: Id): Row | undefined {
    return structuredClone(this.#store.get(id))
  }

  /** Lists all rows by ascending id, including deleted annotations. */
  list(): Row[] {
    return structuredClone([...this.#store.values()])
  }

  /** Creates a row. Missing fields get defaults. @throws UsageError with every issue */
  create(fields: Partial<Row> = {}): Row {
    const store = this.#store
    const row = this.#validate({ ...store.defaults(), ...fields } as Row)
    const id = store.idOf(row)
    if (store.get(id) !== undefined) {
      throw new UsageError(
        `Failed to create a row of ${store.list}: expected an unused id, got ${id}.`,
        [],
        'id',
      )
    }
    store.insert(row)
    return this.get(id) as Row
  }

  /** Updates fields of a row. @throws UsageError for a missing row, or with every issue */
  update(id: Id, changes: Partial<Row>): Row {
    const store = this.#store
    const before = store.get(id)
    if (before === undefined)
      throw new UsageError(`Failed to update ${id} of ${store.list}: there is no such row.`)
    const row = this.#validate({ ...before, ...changes }, before)
    if (store.idOf(row) !== id)
      throw new UsageError(
        `Failed to update ${id} of ${store.list}: the id of a row cannot change.`,
      )
    store.replace(row)
    return this.get(id) as Row
  }

  /**
   * Deletes a row permanently.
   *
   * @returns false if there is no such row
   * @throws UsageError while other rows reference it
   */
  delete(id: Id): boolean {
    const store = this.#store
    if (store.get(id) === undefined) return false
    const references = store.referencingRows(id)
    if (references.length > 0) {
      throw new UsageError(
        `Failed to delete ${id} of ${store.list}: other rows reference it. Change these first:`,
        references,
        'id',
      )
    }
    store.remove(id)
    return true
  }

  /** Checks a row and copies it, because its fields can share objects with the caller. */
  #validate(row: Row, before?: Row): Row {
    const { schema, list } = this.#store
    const parsed = schema.safeParse(row, suggestFields)
    const schemaIssues = parsed.success
      ? []
      : describeIssues(parsed.error, row, 'row', {
          isAllowed: ([field]) => isUnchanged(row, before, field),
        })
    const issues = schemaIssues.length > 0 ? schemaIssues : this.#store.danglingReferences(row)
    if (issues.length === 0) return structuredClone(row)
    throw new UsageError(`Failed to write a row of ${list}. Nothing was changed.`, issues)
  }
}

/** An unchanged field is not checked, because it can have been written under other policies. */
function isUnchanged(
  row: object,
  before: object | undefined,
  field: PropertyKey | undefined,
): boolean {
  if (before === undefined || field === undefined) return false
  return Reflect.get(row, field) === Reflect.get(before, field)
}

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
