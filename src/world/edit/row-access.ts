import type * as z from 'zod'
import { describeIssues, suggestFields } from '../../utils/schema-issues.ts'
import { UsageError } from '../../utils/usage-error.ts'

/** The storage and the rules of one list. Rows have the world format. */
export interface RowStore<Row, Id> {
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
