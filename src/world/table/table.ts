import type { JsonText } from '../../utils/json.ts'
import { finish, inSlices, type Steps, sortInSteps } from '../../utils/steps.ts'
import { LimitError } from '../../utils/usage-error.ts'
import type { Rows, WriteObserver } from '../rows.ts'
import { maxId } from '../world-format.ts'
import { mergeSorted } from './merged-list.ts'
import {
  type Compare,
  OrderedList,
  type OrderedListRules,
  type SortedRows,
} from './ordered-list.ts'

/** A row in its table, with values that were computed from it. */
export interface TableEntry<R> {
  readonly row: R
  /** The primary sort key. Stored here, because a search for a position reads many ranks. */
  readonly rank: number
  /** The JSON text of a row that was sent again, and the embedded rows at that time. */
  serialized: { readonly wire: JsonText<unknown>; readonly shown: object } | null
  /** The searchable text after the first search. */
  searchText: string | null | undefined
}

/** Creates entries with an object literal, because V8 allocates long-lived literals in its old space, without a copy. */
export function createEntry<R>(row: R, rank: number): TableEntry<R> {
  return { row, rank, serialized: null, searchText: undefined }
}

interface TableRules<R> {
  /** The name of the table */
  readonly list: keyof Rows
  /** Copies a written row; default: the row itself */
  readonly copy?: (row: R) => R
  /** The primary sort key of every index, lowest first; default: the id */
  readonly rank?: (row: R) => number
  /** The only field that `rank` depends on: while it stays the same, so does the rank */
  readonly rankedBy?: keyof R
  /** The order of rows with the same rank; default: by id */
  readonly compare?: Compare<R>
  /** The names of the indexes that contain a row */
  readonly indexes?: (row: R) => readonly string[]
  readonly searchText?: (row: R) => string | null
}

/** The rows of a table, in lists that are forked in constant time. */
interface Lists<R> {
  readonly byId: OrderedList<TableEntry<R>>
  /** The ordered indexes, by name */
  readonly indexes: Map<string, OrderedList<TableEntry<R>>>
  /** The highest id of the initial rows; 0 without rows */
  readonly highestId: number
}

/**
 * The rows of one list, by id and in ordered indexes, which each write updates. A fork takes constant time. Ids are
 * counted up and never used twice. The initial rows are loaded on first use.
 *
 * @example
 * const annotations = new Table({ list: 'annotations', rank, indexes: (row) => [`project:${row.project}`] }, () => rows)
 * annotations.list(['project:1']).slice(0, 100)
 */
export class Table<R extends { readonly id: number }> {
  /** Forks start without an observer. */
  observer: WriteObserver | null = null
  readonly #rules: TableRules<R>
  /** The initial rows, listed once for all forks */
  #initial: () => Lists<R>
  #lists: Lists<R> | null = null
  /** The names of the indexes that no fork shares; null while forks may share all lists */
  #owned: Set<string> | null = null
  #version: object = {}
  /** Null while it follows the highest initial id */
  #nextId: number | null = null

  /** The order of the indexes. Forks share it: each function of its own takes memory in each sandbox. */
  readonly #order: OrderedListRules<TableEntry<R>>

  /** @param rows the initial rows */
  constructor(
    rules: TableRules<R>,
    rows: () => readonly R[] = () => [],
    order: OrderedListRules<TableEntry<R>> = orderOf(rules),
  ) {
    this.#rules = rules
    this.#order = order
    this.#initial = lazy(() =>
      finish(this.#createLists(rows().map((row) => createEntry(row, this.#rankOf(row))))),
    )
  }

  /** Replaces the initial rows of a new table by these, in steps, indexes included. Takes the array over. */
  *fill(rows: R[]): Steps<void> {
    const entries = rows as (R | TableEntry<R>)[] as TableEntry<R>[]
    yield* inSlices(rows.length, (start, end) => this.#createEntries(rows, start, end))
    const lists = yield* this.#createLists(entries)
    this.#initial = () => lists
  }

  /** A method of its own, so that V8 compiles this loop alone. */
  #createEntries(rows: (R | TableEntry<R>)[], start: number, end: number): void {
    for (let at = start; at < end; at++) {
      const row = rows[at] as R
      rows[at] = createEntry(row, this.#rankOf(row))
    }
  }

  /** A new object after each write. Forks have the same version until one of them writes. */
  get version(): object {
    return this.#version
  }

  /** The id of the next row. */
  get nextId(): number {
    return this.#nextId ?? this.#current.highestId + 1
  }

  set nextId(id: number) {
    this.#nextId = id
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
  list(names: readonly string[]): SortedRows<TableEntry<R>> {
    const { indexes } = this.#current
    const lists = names.map((name) => indexes.get(name)).filter((list) => list !== undefined)
    return mergeSorted(lists, this.#order.compare)
  }

  /** @throws LimitError for an id that no world file can contain */
  insert(row: R): TableEntry<R> {
    if (row.id > maxId) {
      throw new LimitError(
        `No more rows can be created: the list has a row with the highest id, ${maxId}.`,
      )
    }
    const entry = this.#entryOf(row)
    this.#writableLists().byId.insert(entry)
    for (const name of this.#indexesOf(entry)) this.#writable(name).insert(entry)
    this.#nextId = Math.max(this.nextId, row.id + 1)
    this.observer?.recordWrite(this.#rules.list, undefined, entry.row)
    return entry
  }

  replace(row: R): TableEntry<R> {
    const { byId } = this.#writableLists()
    const before = byId.find(row.id) as TableEntry<R>
    const after = this.#entryOf(row, before)
    // The rows that a reset restores, and snapshots, can keep this entry for long.
    before.serialized = null
    byId.replace(before, after)
    this.#replaceInIndexes(before, after)
    this.observer?.recordWrite(this.#rules.list, before.row, after.row)
    return after
  }

  /** Adds a row, or replaces the row with its id. */
  put(row: R): void {
    if (this.entry(row.id)) this.replace(row)
    else this.insert(row)
  }

  /** Removes a row. Its id is not used again. @returns false if there is no such row */
  remove(id: number): boolean {
    const entry = this.entry(id)
    if (!entry) return false
    this.#writableLists().byId.remove(entry)
    for (const name of this.#indexesOf(entry)) this.#writable(name).remove(entry)
    this.observer?.recordWrite(this.#rules.list, entry.row, undefined)
    return true
  }

  /** The entries by ascending id. */
  get byId(): OrderedList<TableEntry<R>> {
    return this.#current.byId
  }

  fork(): Table<R> {
    const copy = new Table<R>(this.#rules, undefined, this.#order)
    copy.#initial = this.#initial
    copy.#lists = this.#lists
    copy.#version = this.#version
    copy.#nextId = this.#nextId
    this.#owned = null
    return copy
  }

  get #current(): Lists<R> {
    this.#lists ??= this.#initial()
    return this.#lists
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

  #indexesOf({ row }: TableEntry<R>): readonly string[] {
    return this.#rules.indexes?.(row) ?? []
  }

  /** Replaces a row, in place where its position does not change. */
  #replaceInIndexes(before: TableEntry<R>, after: TableEntry<R>): void {
    const isSamePosition = this.#order.compare(before, after) === 0
    const [namesBefore, namesAfter] = [this.#indexesOf(before), this.#indexesOf(after)]
    for (const name of namesBefore) {
      if (isSamePosition && namesAfter.includes(name)) this.#writable(name).replace(before, after)
      else this.#writable(name).remove(before)
    }
    for (const name of namesAfter) {
      if (!isSamePosition || !namesBefore.includes(name)) this.#writable(name).insert(after)
    }
  }

  /** The lists, for a write. Before the first one they are copied, except for the indexes. */
  #writableLists(): Lists<R> {
    this.#version = {}
    if (!this.#owned) {
      const { byId, indexes, highestId } = this.#current
      this.#lists = { byId: byId.fork(), indexes: new Map(indexes), highestId }
      this.#owned = new Set()
    }
    return this.#current
  }

  #writable(name: string): OrderedList<TableEntry<R>> {
    const { indexes } = this.#current
    const shared = indexes.get(name)
    if (shared && this.#owned?.has(name)) return shared
    const list = shared?.fork() ?? new OrderedList(this.#order)
    indexes.set(name, list)
    this.#owned?.add(name)
    return list
  }

  *#createLists(entries: readonly TableEntry<R>[]): Steps<Lists<R>> {
    const compare: Compare<TableEntry<R>> = (a, b) => a.row.id - b.row.id
    const byId = new OrderedList<TableEntry<R>>({
      compare,
      rank: ({ row }) => row.id,
      text: () => null,
    })
    const sorted = yield* sortInSteps(entries, compare)
    yield* byId.fill(sorted)
    const entriesByName = new Map<string, TableEntry<R>[]>()
    yield* inSlices(entries.length, (start, end) => {
      this.#listByName(entries, start, end, entriesByName)
    })
    const indexes: Lists<R>['indexes'] = new Map()
    for (const [name, list] of entriesByName) {
      const index = new OrderedList<TableEntry<R>>(this.#order)
      yield* index.fill(yield* sortInSteps(list, this.#order.compare))
      indexes.set(name, index)
    }
    return { byId, indexes, highestId: sorted.at(-1)?.row.id ?? 0 }
  }

  /** Adds entries to the lists of their indexes. Most of them are in the indexes of the one before. */
  #listByName(
    entries: readonly TableEntry<R>[],
    start: number,
    end: number,
    entriesByName: Map<string, TableEntry<R>[]>,
  ): void {
    let names: readonly string[] = []
    let lists: TableEntry<R>[][] = []
    for (let at = start; at < end; at++) {
      const entry = entries[at] as TableEntry<R>
      const before = names
      names = this.#indexesOf(entry)
      if (names !== before) {
        lists = names.map((name) => {
          const list = entriesByName.get(name) ?? []
          entriesByName.set(name, list)
          return list
        })
      }
      for (const list of lists) list.push(entry)
    }
  }
}

function orderOf<R extends { readonly id: number }>({
  compare = (a, b) => a.id - b.id,
  searchText,
}: TableRules<R>): OrderedListRules<TableEntry<R>> {
  return {
    compare(a, b) {
      if (a.rank !== b.rank) return a.rank < b.rank ? -1 : 1
      return compare(a.row, b.row)
    },
    text(entry) {
      entry.searchText ??= searchText?.(entry.row) ?? null
      return entry.searchText
    },
    rank: ({ rank }) => rank,
  }
}

/** Creates a value on first use, then releases the memory of its factory. */
function lazy<T extends object>(create: () => T): () => T {
  let value: T | null = null
  let factory: (() => T) | null = create
  return () => {
    value ??= (factory as () => T)()
    factory = null
    return value
  }
}

/** Rows by a text key, copy-on-write: for short lists such as keys and organizations. */
export class KeyedTable<R extends object> {
  /** Forks start without an observer. */
  observer: WriteObserver | null = null
  readonly #list: keyof Rows
  readonly #idOf: (row: R) => string
  #rows: Map<string, R>
  #isShared = false
  #version: object = {}

  constructor(list: keyof Rows, rows: Iterable<R>, idOf: (row: R) => string) {
    this.#list = list
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
  put(row: R): void {
    const id = this.#idOf(row)
    const before = this.#rows.get(id)
    this.#writable().set(id, row)
    this.observer?.recordWrite(this.#list, before, row)
  }

  /** Removes a row. @returns false if there is no such row */
  remove(id: string): boolean {
    const before = this.#rows.get(id)
    if (before === undefined) return false
    this.#writable().delete(id)
    this.observer?.recordWrite(this.#list, before, undefined)
    return true
  }

  fork(): KeyedTable<R> {
    const copy = new KeyedTable<R>(this.#list, [], this.#idOf)
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
