import type { Wire } from '../wire.ts'
import { mergeSorted } from './merged-list.ts'
import { OrderedList } from './ordered-list.ts'
import { Pages } from './pages.ts'
import type { Compare, Sorted } from './sorted.ts'

/** A row in its table, with the text it was last sent as. */
export class Entry<R> {
  readonly row: R
  /** What was sent for this row, and the stamp of the rows it shows besides its own. */
  sent: { readonly wire: Wire<unknown>; readonly stamp: object } | null = null
  /** What a search looks in, once it was asked for. */
  folded: string | null | undefined = undefined

  constructor(row: R) {
    this.row = row
  }
}

/** How the rows of a table are listed. */
export interface TableRules<R> {
  /** The order of every list; by id where missing. */
  readonly compare?: Compare<R>
  /** The names of the lists that a row stands in. */
  readonly lists?: (row: R) => readonly string[]
  /** What a search looks in. */
  readonly text?: (row: R) => string | null
}

/**
 * The rows of one kind: by id, and in ordered lists that are kept up to date by each write. Forking costs
 * the same at any size; ids are counted up and never used twice.
 *
 * @example
 * const annotations = new Table({ compare: newestFirst, lists: (row) => [`project:${row.project}`] }, rows)
 * annotations.list(['project:1']).slice(0, 100)
 */
export class Table<R extends { readonly id: number }> {
  readonly #rules: TableRules<R>
  #byId = new Pages<Entry<R>>()
  #lists = new Map<string, OrderedList<Entry<R>>>()
  /** The names of the lists that no fork reads; null while a fork reads the map itself. */
  #mine: Set<string> | null = new Set()
  #version: object = {}
  #nextId = 1

  constructor(rules: TableRules<R> = {}, rows: readonly R[] = []) {
    this.#rules = rules
    const listed = new Map<string, Entry<R>[]>()
    for (const row of rows.toSorted((a, b) => a.id - b.id)) {
      const entry = new Entry(row)
      this.#byId.set(row.id, entry)
      this.#nextId = row.id + 1
      for (const name of rules.lists?.(row) ?? []) {
        const list = listed.get(name)
        if (list) list.push(entry)
        else listed.set(name, [entry])
      }
    }
    for (const [name, entries] of listed) this.#keep(name, this.#newList(entries))
  }

  /** Another object after each write; forks have the same one until they write. */
  get version(): object {
    return this.#version
  }

  /** The id the next row will get. */
  get nextId(): number {
    return this.#nextId
  }

  set nextId(id: number) {
    this.#nextId = Math.max(this.#nextId, id)
  }

  get size(): number {
    return this.#byId.size
  }

  entry(id: number): Entry<R> | undefined {
    return Number.isSafeInteger(id) ? this.#byId.get(id) : undefined
  }

  get(id: number): R | undefined {
    return this.entry(id)?.row
  }

  /** All rows by ascending id, as they are now. */
  *values(): IterableIterator<R> {
    for (const { row } of this.#byId.values()) yield row
  }

  /** Several lists as one, in order; lists that do not exist are empty. */
  list(names: readonly string[]): Sorted<Entry<R>> {
    const lists = names.map((name) => this.#lists.get(name)).filter((list) => list !== undefined)
    return mergeSorted(lists, this.#compare)
  }

  /** Adds a row whose id is free. */
  insert(row: R): Entry<R> {
    const entry = new Entry(row)
    this.#write()
    this.#byId.set(row.id, entry)
    this.nextId = row.id + 1
    for (const name of this.#namesOf(row)) this.#listNamed(name).insert(entry)
    return entry
  }

  /** Puts a row in the place of the one with its id. */
  replace(row: R): Entry<R> {
    const before = this.#byId.get(row.id) as Entry<R>
    const after = new Entry(row)
    this.#write()
    this.#byId.set(row.id, after)
    const names = this.#namesOf(row)
    const stays = this.#compare(before, after) === 0
    for (const name of this.#namesOf(before.row)) {
      if (stays && names.includes(name)) this.#listNamed(name).replace(before, after)
      else this.#listNamed(name).remove(before)
    }
    const old = stays ? this.#namesOf(before.row) : []
    for (const name of names) if (!old.includes(name)) this.#listNamed(name).insert(after)
    return after
  }

  /** Takes out a row; its id stays used. */
  remove(id: number): void {
    const entry = this.#byId.get(id)
    if (!entry) return
    this.#write()
    this.#byId.delete(id)
    for (const name of this.#namesOf(entry.row)) this.#listNamed(name).remove(entry)
  }

  fork(): Table<R> {
    const copy = new Table<R>(this.#rules)
    copy.#byId = this.#byId.fork()
    copy.#lists = this.#lists
    copy.#version = this.#version
    copy.#nextId = this.#nextId
    copy.#mine = null
    this.#mine = null
    return copy
  }

  readonly #compare: Compare<Entry<R>> = (a, b) =>
    this.#rules.compare ? this.#rules.compare(a.row, b.row) : a.row.id - b.row.id

  readonly #text = (entry: Entry<R>): string | null => {
    if (entry.folded === undefined) entry.folded = this.#rules.text?.(entry.row) ?? null
    return entry.folded
  }

  #namesOf(row: R): readonly string[] {
    return this.#rules.lists?.(row) ?? []
  }

  #newList(entries: Entry<R>[]): OrderedList<Entry<R>> {
    const rows = entries.sort(this.#compare)
    return new OrderedList({ compare: this.#compare, text: this.#text, rows })
  }

  /** A list that is safe to change. */
  #listNamed(name: string): OrderedList<Entry<R>> {
    const known = this.#lists.get(name)
    if (known && this.#mine?.has(name)) return known
    return this.#keep(name, known?.fork() ?? this.#newList([]))
  }

  #keep(name: string, list: OrderedList<Entry<R>>): OrderedList<Entry<R>> {
    this.#lists.set(name, list)
    this.#mine?.add(name)
    return list
  }

  /** Before each write. */
  #write(): void {
    this.#version = {}
    if (this.#mine) return
    this.#lists = new Map(this.#lists)
    this.#mine = new Set()
  }
}
