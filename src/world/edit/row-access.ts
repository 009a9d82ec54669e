import type * as z from 'zod'
import { describeIssues, suggestFields } from '../../utils/schema-issues.ts'
import { UsageError } from '../../utils/usage-error.ts'

/** Where the rows of one list are kept, and what holds for them. Rows are those of the world format. */
export interface RowStore<Row, Id> {
  readonly list: string
  readonly schema: z.ZodType
  readonly size: number
  get(id: Id): Row | undefined
  values(): Iterable<Row>
  insert(row: Row): void
  replace(row: Row): void
  remove(id: Id): void
  /** Everything that a new row may leave out. */
  defaults(): Partial<Row>
  idOf(row: Row): Id
  /** The references of a row that lead nowhere. */
  danglingReferences(row: Row): readonly string[]
  /** The rows that name a row. */
  referencingRows(id: Id): readonly string[]
}

/**
 * The rows of one list, read and written directly: no key, no scope, no policy. Rows are those of the world
 * format, and what is written is checked as a world file is. What is handed out is a copy.
 *
 * @example simulator.world.annotations.create({ content: 'Launch' })
 */
export class RowAccess<Row extends object, Id> {
  readonly #store: RowStore<Row, Id>

  constructor(store: RowStore<Row, Id>) {
    this.#store = store
  }

  get count(): number {
    return this.#store.size
  }

  get(id: Id): Row | undefined {
    return structuredClone(this.#store.get(id))
  }

  /** Every row, deleted annotations included, by ascending id. */
  list(): Row[] {
    return structuredClone([...this.#store.values()])
  }

  /** Adds a row; what is left out gets a default. @throws UsageError with every fault */
  create(given: Partial<Row> = {}): Row {
    const store = this.#store
    const row = this.#validate({ ...store.defaults(), ...given } as Row)
    const id = store.idOf(row)
    if (store.get(id) !== undefined) {
      throw new UsageError(
        `Failed to create a row of ${store.list}: expected a new id, got ${id}.`,
        [],
        'id',
      )
    }
    store.insert(row)
    return this.get(id) as Row
  }

  /** Changes what is given. @throws UsageError for a row that is not there, or with every fault */
  update(id: Id, changes: Partial<Row>): Row {
    const store = this.#store
    const before = store.get(id)
    if (before === undefined) {
      throw new UsageError(
        `Failed to update a row of ${store.list}: expected the id of one, got ${id}.`,
      )
    }
    const row = this.#validate({ ...before, ...changes }, before)
    if (store.idOf(row) !== id) {
      throw new UsageError(
        `Failed to update a row of ${store.list}: expected its id to stay ${id}.`,
      )
    }
    store.replace(row)
    return this.get(id) as Row
  }

  /** Takes a row out for good; false when it is not there. @throws UsageError while other rows name it */
  delete(id: Id): boolean {
    const store = this.#store
    if (store.get(id) === undefined) return false
    const naming = store.referencingRows(id)
    if (naming.length > 0) {
      throw new UsageError(
        `Failed to delete ${id} of ${store.list}: expected that no row names it. Change these first:`,
        naming,
        'id',
      )
    }
    store.remove(id)
    return true
  }

  /** A row without faults, as a copy: what it was made of stays with the caller. */
  #validate(row: Row, before?: Row): Row {
    const { schema, list } = this.#store
    const parsed = schema.safeParse(row, suggestFields)
    const found = parsed.success
      ? []
      : describeIssues(parsed.error, row, 'row', {
          isAllowed: ([field]) => isUnchanged(row, before, field),
        })
    const faults = found.length > 0 ? found : this.#store.danglingReferences(row)
    if (faults.length === 0) return structuredClone(row)
    throw new UsageError(`Failed to write a row of ${list}. Nothing was changed.`, faults)
  }
}

/** What stays as it is was taken before, maybe under other policies. */
function isUnchanged(
  row: object,
  before: object | undefined,
  field: PropertyKey | undefined,
): boolean {
  if (before === undefined || field === undefined) return false
  return Reflect.get(row, field) === Reflect.get(before, field)
}
