import { createEntry, type TableEntry } from './entry.ts'
import { PagedMap } from './paged-map.ts'
import type { SortedRows } from './sorted.ts'
import { type IndexRules, TableIndexes } from './table-indexes.ts'

/**
 * The rows of one kind: by id, and in ordered lists that are kept up to date by each write. Forking costs
 * the same at any size; ids are counted up and never used twice. The first rows are put in place when somebody
 * first asks.
 *
 * @example
 * const annotations = new Table({ rank: byMarker, lists: (row) => [`project:${row.project}`] }, () => rows)
 * annotations.list(['project:1']).slice(0, 100)
 */
export class Table<R extends { readonly id: number }> {
  /** Told of each write: the row before and after it. Forks have none. */
  onWrite: ((before: object | undefined, after: object | undefined) => void) | null = null
  readonly #rules: IndexRules<R>
  /** The rows as they began, put in place once for all forks. */
  #initial: () => TableRows<R>
  #rows: TableRows<R> | null = null
  #version: object = {}
  #nextId = 1

  constructor(rules: IndexRules<R> = {}, rows: () => readonly R[] = () => []) {
    this.#rules = rules
    this.#initial = lazy(() =>
      createTableRows(
        rules,
        rows().map((row) => this.#entryOf(row)),
      ),
    )
  }

  /** Another object after each write; forks have the same one until they write. */
  get version(): object {
    return this.#version
  }

  /** The id the next row will get. */
  get nextId(): number {
    return Math.max(this.#nextId, this.#writable.highestId + 1)
  }

  set nextId(id: number) {
    this.#nextId = Math.max(this.#nextId, id)
  }

  get size(): number {
    return this.#writable.byId.size
  }

  entry(id: number): TableEntry<R> | undefined {
    return Number.isSafeInteger(id) ? this.#writable.byId.get(id) : undefined
  }

  get(id: number): R | undefined {
    return this.entry(id)?.row
  }

  /** All rows by ascending id, as they are now. */
  *values(): IterableIterator<R> {
    for (const { row } of this.#writable.byId.values()) yield row
  }

  /** Several lists as one, in order; lists that do not exist are empty. */
  list(names: readonly string[]): SortedRows<TableEntry<R>> {
    return this.#writable.indexes.list(names)
  }

  /** Adds a row whose id is free. */
  insert(row: R): TableEntry<R> {
    const entry = this.#entryOf(row)
    this.#version = {}
    this.#writable.byId.set(row.id, entry)
    this.#writable.indexes.insert(entry)
    this.nextId = row.id + 1
    this.onWrite?.(undefined, entry.row)
    return entry
  }

  /** Puts a row in the place of the one with its id. */
  replace(row: R): TableEntry<R> {
    const { byId, indexes } = this.#writable
    const before = byId.get(row.id) as TableEntry<R>
    const after = this.#entryOf(row, before)
    this.#version = {}
    byId.set(row.id, after)
    indexes.replace(before, after)
    this.onWrite?.(before.row, after.row)
    return after
  }

  /** Takes out a row; its id stays used. */
  remove(id: number): void {
    const entry = this.#writable.byId.get(id)
    if (!entry) return
    this.#version = {}
    this.#writable.byId.delete(id)
    this.#writable.indexes.remove(entry)
    this.onWrite?.(entry.row, undefined)
  }

  fork(): Table<R> {
    const copy = new Table<R>(this.#rules)
    copy.#initial = this.#initial
    copy.#rows = this.#rows?.fork() ?? null
    copy.#version = this.#version
    copy.#nextId = this.#nextId
    return copy
  }

  get #writable(): TableRows<R> {
    this.#rows ??= this.#initial().fork()
    return this.#rows
  }

  #entryOf(given: R, before?: TableEntry<R>): TableEntry<R> {
    const { normalize, rank, rankedBy } = this.#rules
    const row = normalize ? normalize(given) : given
    const isKept = rankedBy !== undefined && before?.row[rankedBy] === row[rankedBy]
    if (before && isKept) return createEntry(row, before.rank)
    return createEntry(row, rank ? rank(row) : row.id)
  }
}

/** Makes something when it is first asked for, and then lets go of what it was made from. */
function lazy<T extends object>(make: () => T): () => T {
  let made: T | null = null
  let maker: (() => T) | null = make
  return () => {
    made ??= (maker as () => T)()
    maker = null
    return made
  }
}

/** What a table holds: its rows by id, and in lists. */
class TableRows<R extends { readonly id: number }> {
  readonly byId: PagedMap<TableEntry<R>>
  readonly indexes: TableIndexes<R>
  /** The highest id it began with; 0 without rows. */
  readonly highestId: number

  constructor(byId: PagedMap<TableEntry<R>>, lists: TableIndexes<R>, highest: number) {
    this.byId = byId
    this.indexes = lists
    this.highestId = highest
  }

  fork(): TableRows<R> {
    return new TableRows(this.byId.fork(), this.indexes.fork(), this.highestId)
  }
}

/** Puts the first rows in place. */
function createTableRows<R extends { readonly id: number }>(
  rules: IndexRules<R>,
  entries: TableEntry<R>[],
): TableRows<R> {
  const byId = new PagedMap<TableEntry<R>>()
  entries.sort((a, b) => a.row.id - b.row.id)
  for (const entry of entries) byId.set(entry.row.id, entry)
  return new TableRows(byId, new TableIndexes(rules, entries), entries.at(-1)?.row.id ?? 0)
}
