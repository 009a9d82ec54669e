import { flattenString, JsonText } from '../../utils/json-text.ts'
import { finish, type Steps, sortInSteps, stepSize } from '../../utils/steps.ts'
import { mergeSorted } from './merged-list.ts'
import { type Compare, OrderedList, type SortedRows } from './ordered-list.ts'

export interface IndexRules<R> {
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

type Indexes<R> = Map<string, OrderedList<TableEntry<R>>>

/** The ordered indexes of a table, by name. They are built on first use, and forked in constant time. */
export class TableIndexes<R extends { readonly id: number }> {
  readonly #rules: IndexRules<R>
  /** The initial indexes, built once for all forks. */
  #initial: () => Indexes<R>
  #current: Indexes<R> | null = null
  /** The names of the indexes that no fork shares; null while forks may share the map itself. */
  #owned: Set<string> | null = null

  constructor(rules: IndexRules<R>, entries: readonly TableEntry<R>[] = []) {
    this.#rules = rules
    this.#initial = lazy(() => finish(this.#createAll(entries)))
  }

  /** Builds the indexes of these entries now, in steps, in place of the initial ones. */
  *build(entries: readonly TableEntry<R>[]): Steps<void> {
    const indexes = yield* this.#createAll(entries)
    this.#initial = () => indexes
  }

  /** Merges several indexes, in order. An unknown index is empty. */
  list(names: readonly string[]): SortedRows<TableEntry<R>> {
    const lists = names.map((name) => this.#all().get(name)).filter((list) => list !== undefined)
    return mergeSorted(lists, this.#compare)
  }

  insert(entry: TableEntry<R>): void {
    for (const name of this.#namesOf(entry)) this.#writable(name).insert(entry)
  }

  remove(entry: TableEntry<R>): void {
    for (const name of this.#namesOf(entry)) this.#writable(name).remove(entry)
  }

  /** Replaces a row, in place where its position does not change. */
  replace(before: TableEntry<R>, after: TableEntry<R>): void {
    const isSamePosition = this.#compare(before, after) === 0
    const [namesBefore, namesAfter] = [this.#namesOf(before), this.#namesOf(after)]
    for (const name of namesBefore) {
      if (isSamePosition && namesAfter.includes(name)) this.#writable(name).replace(before, after)
      else this.#writable(name).remove(before)
    }
    for (const name of namesAfter) {
      if (!isSamePosition || !namesBefore.includes(name)) this.#writable(name).insert(after)
    }
  }

  fork(): TableIndexes<R> {
    const copy = new TableIndexes<R>(this.#rules)
    copy.#initial = this.#initial
    copy.#current = this.#current
    copy.#owned = null
    this.#owned = null
    return copy
  }

  readonly #compare: Compare<TableEntry<R>> = (a, b) => {
    if (a.rank !== b.rank) return a.rank < b.rank ? -1 : 1
    return this.#rules.compare ? this.#rules.compare(a.row, b.row) : a.row.id - b.row.id
  }

  readonly #text = (entry: TableEntry<R>): string | null => {
    if (entry.searchText === undefined)
      entry.searchText = this.#rules.searchText?.(entry.row) ?? null
    return entry.searchText
  }

  #namesOf({ row }: TableEntry<R>): readonly string[] {
    return this.#rules.indexes?.(row) ?? []
  }

  #createIndex(): OrderedList<TableEntry<R>> {
    return new OrderedList({ compare: this.#compare, text: this.#text, rank: rankOf })
  }

  *#createAll(entries: readonly TableEntry<R>[]): Steps<Indexes<R>> {
    const entriesByName = new Map<string, TableEntry<R>[]>()
    for (const [position, entry] of entries.entries()) {
      for (const name of this.#namesOf(entry)) {
        const list = entriesByName.get(name)
        if (list) list.push(entry)
        else entriesByName.set(name, [entry])
      }
      if (position % stepSize === 0) yield
    }
    const indexes: Indexes<R> = new Map()
    for (const [name, list] of entriesByName) {
      const index = this.#createIndex()
      yield* index.fill(yield* sortInSteps(list, this.#compare))
      indexes.set(name, index)
    }
    return indexes
  }

  #all(): Indexes<R> {
    this.#current ??= this.#initial()
    return this.#current
  }

  #writable(name: string): OrderedList<TableEntry<R>> {
    if (!this.#owned) {
      this.#current = new Map(this.#all())
      this.#owned = new Set()
    }
    const shared = this.#all().get(name)
    if (shared && this.#owned.has(name)) return shared
    const list = shared?.fork() ?? this.#createIndex()
    this.#all().set(name, list)
    this.#owned.add(name)
    return list
  }
}

/** Creates a value on first use, then releases the memory of its factory. */
export function lazy<T extends object>(create: () => T): () => T {
  let value: T | null = null
  let factory: (() => T) | null = create
  return () => {
    value ??= (factory as () => T)()
    factory = null
    return value
  }
}

function rankOf({ rank }: { readonly rank: number }): number {
  return rank
}

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

/** How many rows keep their text, and the longest such text in bytes. Few texts, so that an evicted one is freed soon. */
const [maxTexts, maxTextBytes] = [2_048, 1_024]

/** Marks an entry that was sent once. */
const sentOnce: TableEntry<object>['serialized'] = { wire: new JsonText('null'), shown: {} }

/**
 * Limits the memory of the texts that rows keep. A row keeps its text when it is sent for the second time: most texts
 * are never sent again, and then they are freed at once. A further row takes the place of the oldest one.
 */
export class RecentTexts {
  readonly #entries: TableEntry<object>[] = []
  #next = 0

  keep(entry: TableEntry<object>, serialized: NonNullable<TableEntry<object>['serialized']>): void {
    if (serialized.wire.bytes > maxTextBytes) return
    if (entry.serialized) {
      flattenString(serialized.wire.text)
      entry.serialized = serialized
      return
    }
    const oldest = this.#entries[this.#next]
    if (oldest) oldest.serialized = null
    this.#entries[this.#next] = entry
    this.#next = (this.#next + 1) % maxTexts
    entry.serialized = sentOnce
  }
}
