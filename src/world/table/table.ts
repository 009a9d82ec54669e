import { finish, type Steps, sortInSteps, stepSize } from '../../utils/steps.ts'
import { LimitError } from '../../utils/usage-error.ts'
import { maxId } from '../world-format.ts'
import { OrderedList, type SortedRows } from './ordered-list.ts'
import {
  createEntry,
  type IndexRules,
  lazy,
  type TableEntry,
  TableIndexes,
} from './table-indexes.ts'

/**
 * The rows of one list, by id and in ordered indexes, which each write updates. A fork takes constant time. Ids are
 * counted up and never used twice. The initial rows are loaded on first use.
 *
 * @example
 * const annotations = new Table({ rank, indexes: (row) => [`project:${row.project}`] }, () => rows)
 * annotations.list(['project:1']).slice(0, 100)
 */
export class Table<R extends { readonly id: number }> {
  /** Called after each write with the row before and after it. Forks start without a listener. */
  onWrite: ((before: object | undefined, after: object | undefined) => void) | null = null
  readonly #rules: IndexRules<R>
  /** The initial rows, indexed once for all forks. */
  #initial: () => TableRows<R>
  #rows: TableRows<R> | null = null
  #version: object = {}
  #nextId = 1

  /** @param rows the initial rows */
  constructor(rules: IndexRules<R> = {}, rows: () => readonly R[] = () => []) {
    this.#rules = rules
    this.#initial = lazy(() => {
      const entries = rows().map((row) => createEntry(row, this.#rankOf(row)))
      const { byId, highestId } = finish(createTableRows(entries))
      return { byId, indexes: new TableIndexes(rules, entries), highestId }
    })
  }

  /** Replaces the initial rows of a new table by these, in steps, indexes included. Takes the array over. */
  *fill(rows: R[]): Steps<void> {
    const entries = rows as (R | TableEntry<R>)[] as TableEntry<R>[]
    for (const [index, row] of rows.entries()) {
      entries[index] = createEntry(row, this.#rankOf(row))
      if (index % stepSize === 0) yield
    }
    const { byId, highestId } = yield* createTableRows(entries)
    const indexes = new TableIndexes<R>(this.#rules)
    yield* indexes.build(entries)
    this.#initial = () => ({ byId, indexes, highestId })
  }

  /** A new object after each write. Forks have the same version until one of them writes. */
  get version(): object {
    return this.#version
  }

  /** The id of the next row. */
  get nextId(): number {
    return Math.max(this.#nextId, this.#current.highestId + 1)
  }

  set nextId(id: number) {
    this.#nextId = Math.max(this.#nextId, id)
  }

  get size(): number {
    return this.#current.byId.size
  }

  entry(id: number): TableEntry<R> | undefined {
    return Number.isSafeInteger(id) ? this.#current.byId.find(id) : undefined
  }

  get(id: number): R | undefined {
    return this.entry(id)?.row
  }

  /** The current rows by ascending id. */
  *values(): IterableIterator<R> {
    for (const { row } of this.#current.byId.values()) yield row
  }

  /** Merges several indexes, in order. An unknown index is empty. */
  list(indexes: readonly string[]): SortedRows<TableEntry<R>> {
    return this.#current.indexes.list(indexes)
  }

  /** @throws LimitError for an id that no world file can contain */
  insert(row: R): TableEntry<R> {
    if (row.id > maxId) {
      throw new LimitError(
        `No more rows can be created: the list has a row with the highest id, ${maxId}.`,
      )
    }
    const entry = this.#entryOf(row)
    this.#version = {}
    this.#current.byId.insert(entry)
    this.#current.indexes.insert(entry)
    this.nextId = row.id + 1
    this.onWrite?.(undefined, entry.row)
    return entry
  }

  replace(row: R): TableEntry<R> {
    const { byId, indexes } = this.#current
    const before = byId.find(row.id) as TableEntry<R>
    const after = this.#entryOf(row, before)
    // The rows that a reset restores, and snapshots, can keep this entry for long.
    before.serialized = null
    this.#version = {}
    byId.replace(before, after)
    indexes.replace(before, after)
    this.onWrite?.(before.row, after.row)
    return after
  }

  /** Removes a row. Its id is not used again. */
  remove(id: number): void {
    const entry = this.entry(id)
    if (!entry) return
    this.#version = {}
    this.#current.byId.remove(entry)
    this.#current.indexes.remove(entry)
    this.onWrite?.(entry.row, undefined)
  }

  fork(): Table<R> {
    const copy = new Table<R>(this.#rules)
    copy.#initial = this.#initial
    copy.#rows = this.#rows && forkTableRows(this.#rows)
    copy.#version = this.#version
    copy.#nextId = this.#nextId
    return copy
  }

  get #current(): TableRows<R> {
    this.#rows ??= forkTableRows(this.#initial())
    return this.#rows
  }

  #entryOf(written: R, before?: TableEntry<R>): TableEntry<R> {
    const { copy, rankedBy } = this.#rules
    const row = copy ? copy(written) : written
    const isSameRank = rankedBy !== undefined && before?.row[rankedBy] === row[rankedBy]
    return createEntry(row, before && isSameRank ? before.rank : this.#rankOf(row))
  }

  #rankOf(row: R): number {
    const { rank } = this.#rules
    return rank ? rank(row) : row.id
  }
}

interface TableRows<R extends { readonly id: number }> {
  readonly byId: OrderedList<TableEntry<R>>
  readonly indexes: TableIndexes<R>
  /** The highest id of the initial rows; 0 without rows. */
  readonly highestId: number
}

function compareIds<R extends { readonly id: number }>(a: TableEntry<R>, b: TableEntry<R>): number {
  return a.row.id - b.row.id
}

function* createTableRows<R extends { readonly id: number }>(
  entries: readonly TableEntry<R>[],
): Steps<Pick<TableRows<R>, 'byId' | 'highestId'>> {
  const sorted = yield* sortInSteps(entries, compareIds)
  const byId = new OrderedList<TableEntry<R>>({
    compare: compareIds,
    rank: ({ row }) => row.id,
    text: () => null,
  })
  yield* byId.fill(sorted)
  return { byId, highestId: sorted.at(-1)?.row.id ?? 0 }
}

function forkTableRows<R extends { readonly id: number }>(rows: TableRows<R>): TableRows<R> {
  return { byId: rows.byId.fork(), indexes: rows.indexes.fork(), highestId: rows.highestId }
}

/** Rows by a text key, copy-on-write: for short lists such as keys and organizations. */
export class KeyedTable<R extends object> {
  /** Called after each write with the row before and after it. Forks start without a listener. */
  onWrite: ((before: object | undefined, after: object | undefined) => void) | null = null
  readonly #idOf: (row: R) => string
  #rows: Map<string, R>
  #isShared = false
  #version: object = {}

  constructor(rows: Iterable<R>, idOf: (row: R) => string) {
    this.#idOf = idOf
    this.#rows = new Map([...rows].map((row) => [idOf(row), row]))
  }

  /** A new object after each write. Forks have the same version until one of them writes. */
  get version(): object {
    return this.#version
  }

  get size(): number {
    return this.#rows.size
  }

  get(id: string): R | undefined {
    return this.#rows.get(id)
  }

  /** The rows in the order in which they were added. */
  values(): IterableIterator<R> {
    return this.#rows.values()
  }

  /** Adds a row, or replaces the row with its id. */
  set(row: R): void {
    const id = this.#idOf(row)
    const before = this.#rows.get(id)
    this.#writable().set(id, row)
    this.onWrite?.(before, row)
  }

  /** Removes a row. @returns false if there is no such row */
  delete(id: string): boolean {
    const before = this.#rows.get(id)
    if (before === undefined) return false
    this.#writable().delete(id)
    this.onWrite?.(before, undefined)
    return true
  }

  fork(): KeyedTable<R> {
    const copy = new KeyedTable<R>([], this.#idOf)
    copy.#rows = this.#rows
    copy.#version = this.#version
    copy.#isShared = true
    this.#isShared = true
    return copy
  }

  #writable(): Map<string, R> {
    if (this.#isShared) this.#rows = new Map(this.#rows)
    this.#isShared = false
    this.#version = {}
    return this.#rows
  }
}
