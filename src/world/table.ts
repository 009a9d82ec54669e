import { Entry } from './entry.ts'
import { type ListRules, NamedLists } from './named-lists.ts'
import { Pages } from './pages.ts'
import type { Sorted } from './sorted.ts'

/**
 * The rows of one kind: by id, and in ordered lists that are kept up to date by each write. Forking costs
 * the same at any size; ids are counted up and never used twice.
 *
 * @example
 * const annotations = new Table({ rank: byMarker, lists: (row) => [`project:${row.project}`] }, rows)
 * annotations.list(['project:1']).slice(0, 100)
 */
export class Table<R extends { readonly id: number }> {
  /** Told of each write: the row before and after it. Forks have none. */
  onWrite: ((before: object | undefined, after: object | undefined) => void) | null = null
  readonly #rules: ListRules<R>
  #byId = new Pages<Entry<R>>()
  #lists: NamedLists<R>
  #version: object = {}
  #nextId = 1

  constructor(rules: ListRules<R> = {}, rows: readonly R[] = []) {
    this.#rules = rules
    const entries = rows.toSorted((a, b) => a.id - b.id).map((row) => this.#entryOf(row))
    for (const entry of entries) {
      this.#byId.set(entry.row.id, entry)
      this.#nextId = entry.row.id + 1
    }
    this.#lists = new NamedLists(rules, entries)
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
    return this.#lists.merged(names)
  }

  /** Adds a row whose id is free. */
  insert(row: R): Entry<R> {
    const entry = this.#entryOf(row)
    this.#version = {}
    this.#byId.set(row.id, entry)
    this.#lists.insert(entry)
    this.nextId = row.id + 1
    this.onWrite?.(undefined, entry.row)
    return entry
  }

  /** Puts a row in the place of the one with its id. */
  replace(row: R): Entry<R> {
    const before = this.#byId.get(row.id) as Entry<R>
    const after = this.#entryOf(row)
    this.#version = {}
    this.#byId.set(row.id, after)
    this.#lists.replace(before, after)
    this.onWrite?.(before.row, after.row)
    return after
  }

  /** Takes out a row; its id stays used. */
  remove(id: number): void {
    const entry = this.#byId.get(id)
    if (!entry) return
    this.#version = {}
    this.#byId.delete(id)
    this.#lists.remove(entry)
    this.onWrite?.(entry.row, undefined)
  }

  fork(): Table<R> {
    const copy = new Table<R>(this.#rules)
    copy.#byId = this.#byId.fork()
    copy.#lists = this.#lists.fork()
    copy.#version = this.#version
    copy.#nextId = this.#nextId
    return copy
  }

  #entryOf(given: R): Entry<R> {
    const { shape, rank } = this.#rules
    const row = shape ? shape(given) : given
    return new Entry(row, rank ? rank(row) : row.id)
  }
}
