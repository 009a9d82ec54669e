import type { TableEntry } from './entry.ts'
import { mergeSorted } from './merged-list.ts'
import { OrderedList } from './ordered-list.ts'
import type { Compare, SortedRows } from './sorted.ts'

/** How rows are listed. */
export interface IndexRules<R> {
  /** The same row with its fields in one order; as it comes where missing. */
  readonly normalize?: (row: R) => R
  /** The order of every list: the lowest first; by id where missing. */
  readonly rank?: (row: R) => number
  /** The field that a rank follows from: where it stays, so does the rank. */
  readonly rankedBy?: keyof R
  /** The order of rows of one rank; by id where missing. */
  readonly compare?: Compare<R>
  /** The names of the lists that a row stands in. */
  readonly indexes?: (row: R) => readonly string[]
  /** What a search looks in. */
  readonly searchText?: (row: R) => string | null
}

type Indexes<R> = Map<string, OrderedList<TableEntry<R>>>

/** The ordered lists of a table, by name, made when first asked for; forked at the same cost at any size. */
export class TableIndexes<R extends { readonly id: number }> {
  readonly #rules: IndexRules<R>
  /** The lists as they began, made once for all forks. */
  #initial: () => Indexes<R>
  #current: Indexes<R> | null = null
  /** The names of the lists that no fork reads; null while a fork may read the map itself. */
  #owned: Set<string> | null = null

  constructor(rules: IndexRules<R>, entries: readonly TableEntry<R>[] = []) {
    this.#rules = rules
    let begun: Indexes<R> | null = null
    this.#initial = () => {
      begun ??= this.#build(entries)
      return begun
    }
  }

  /** Several lists as one, in order; lists that do not exist are empty. */
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

  /** In place in the lists where the row keeps its place. */
  replace(before: TableEntry<R>, after: TableEntry<R>): void {
    const stays = this.#compare(before, after) === 0
    const [old, now] = [this.#namesOf(before), this.#namesOf(after)]
    for (const name of old) {
      if (stays && now.includes(name)) this.#writable(name).replace(before, after)
      else this.#writable(name).remove(before)
    }
    for (const name of now) if (!stays || !old.includes(name)) this.#writable(name).insert(after)
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

  #createIndex(entries: TableEntry<R>[]): OrderedList<TableEntry<R>> {
    const rows = entries.sort(this.#compare)
    return new OrderedList({ compare: this.#compare, text: this.#text, rank: rankOf, rows })
  }

  #build(entries: readonly TableEntry<R>[]): Indexes<R> {
    const listed = new Map<string, TableEntry<R>[]>()
    for (const entry of entries) {
      for (const name of this.#namesOf(entry)) {
        const list = listed.get(name)
        if (list) list.push(entry)
        else listed.set(name, [entry])
      }
    }
    return new Map([...listed].map(([name, rows]) => [name, this.#createIndex(rows)]))
  }

  #all(): Indexes<R> {
    this.#current ??= this.#initial()
    return this.#current
  }

  /** A list that is safe to change. */
  #writable(name: string): OrderedList<TableEntry<R>> {
    if (!this.#owned) {
      this.#current = new Map(this.#all())
      this.#owned = new Set()
    }
    const known = this.#all().get(name)
    if (known && this.#owned.has(name)) return known
    const list = known?.fork() ?? this.#createIndex([])
    this.#all().set(name, list)
    this.#owned.add(name)
    return list
  }
}

function rankOf({ rank }: { readonly rank: number }): number {
  return rank
}
