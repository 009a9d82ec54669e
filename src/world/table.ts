import { LimitError } from '../utils/errors.ts'
import type { Rows, WriteObserver } from './rows.ts'
import { type Compare, mergeLists, type OrderedRows, SortedList } from './sorted-list.ts'
import { maxId } from './world-format.ts'

/** What rows are listed by, such as the id of a project. */
export type ListKey = number | string

/** How the rows of a table are listed. */
export interface Listing<R> {
  readonly compare: Compare<R>
  /** The list that has a row; null if none has it */
  readonly keyOf: (row: R) => ListKey | null
}

/**
 * The rows of one list, by id and in an order by each key. Rows never change: a write replaces them. Ids are counted up
 * and never used twice. A fork takes constant time, whatever the number of rows.
 *
 * @example
 * const annotations = new Table('annotations', rows, { compare: newestFirst, keyOf: ({ project }) => project })
 * annotations.listed(1).slice(0, 100)
 */
export class Table<R extends { readonly id: number }> {
  /** Forks start without an observer. */
  observer: WriteObserver | null = null
  /** A new object after each write. Forks have the same stamp until one of them writes. */
  stamp: object = {}
  /** The id of the next row */
  nextId: number
  readonly #name: keyof Rows
  readonly #listing: Listing<R> | undefined
  #rows: SortedList<R>
  #lists: SharedMap<ListKey, SortedList<R>>

  constructor(name: keyof Rows, rows: readonly R[], listing?: Listing<R>) {
    const sorted = rows.toSorted(byId)
    this.#name = name
    this.#listing = listing
    this.#rows = SortedList.of<R>(byId, sorted)
    this.#lists = new SharedMap(listing ? listByKey(sorted, listing) : [])
    this.nextId = (sorted.at(-1)?.id ?? 0) + 1
  }

  get size(): number {
    return this.#rows.size
  }

  get(id: number): R | undefined {
    // The order depends on nothing but the id.
    return Number.isSafeInteger(id) ? this.#rows.find({ id } as R) : undefined
  }

  /** The current rows by ascending id. */
  values(): IterableIterator<R> {
    return this.#rows[Symbol.iterator]()
  }

  /** The rows of one list or of several, in order. An unknown list is empty. */
  listed(...keys: readonly ListKey[]): OrderedRows<R> {
    const { compare = byId } = this.#listing ?? {}
    const lists = keys.map((key) => this.#lists.get(key)).filter((list) => list && list.size > 0)
    const [first = SortedList.of<R>(compare), ...others] = lists as OrderedRows<R>[]
    return others.reduce((left, right) => mergeLists(left, right, compare), first)
  }

  /** Adds a row, or replaces the row with its id. @throws LimitError for a new id that no world file can contain */
  put(row: R): R {
    const { list, before } = this.#rows.with(row)
    if (!before && row.id > maxId) {
      throw new LimitError(
        `No more rows can be created: the list has a row with the highest id, ${maxId}.`,
      )
    }
    this.nextId = Math.max(this.nextId, row.id + 1)
    this.#rows = list
    this.#noteWrite(before, row)
    return row
  }

  /** Removes a row. Its id is not used again. @returns false if there is no such row */
  remove(id: number): boolean {
    const { list, before } = this.#rows.without({ id } as R)
    if (!before) return false
    this.#rows = list
    this.#noteWrite(before, undefined)
    return true
  }

  fork(): Table<R> {
    const copy = new Table<R>(this.#name, [], this.#listing)
    copy.#rows = this.#rows
    copy.#lists = this.#lists.fork()
    copy.stamp = this.stamp
    copy.nextId = this.nextId
    return copy
  }

  #noteWrite(before: R | undefined, after: R | undefined): void {
    this.stamp = {}
    if (this.#listing) this.#relist(this.#listing, before, after)
    this.observer?.noteWrite(this.#name, before, after)
  }

  /** Moves a row to its position in its list. */
  #relist({ compare, keyOf }: Listing<R>, before: R | undefined, after: R | undefined): void {
    const former = before ? keyOf(before) : null
    const key = after ? keyOf(after) : null
    const listOf = (name: ListKey) => this.#lists.get(name) ?? SortedList.of(compare)
    const stays = before && after && former === key && compare(before, after) === 0
    if (before && former !== null && !stays)
      this.#lists.set(former, listOf(former).without(before).list)
    if (after && key !== null) this.#lists.set(key, listOf(key).with(after).list)
  }
}

function byId(a: { readonly id: number }, b: { readonly id: number }): number {
  return a.id - b.id
}

function listByKey<R extends object>(
  rows: readonly R[],
  { compare, keyOf }: Listing<R>,
): [ListKey, SortedList<R>][] {
  const listed = new Map<ListKey, R[]>()
  for (const row of rows) {
    const key = keyOf(row)
    if (key === null) continue
    const list = listed.get(key)
    if (list) list.push(row)
    else listed.set(key, [row])
  }
  return [...listed].map(([key, list]) => [key, SortedList.of(compare, list.sort(compare))])
}

/** Rows by a text, in the order in which they were added, for short lists: keys and organizations. */
export class KeyedTable<R extends object> {
  /** Forks start without an observer. */
  observer: WriteObserver | null = null
  /** A new object after each write. Forks have the same stamp until one of them writes. */
  stamp: object = {}
  readonly #name: keyof Rows
  readonly #idOf: (row: R) => string
  #rows: SharedMap<string, R>

  constructor(name: keyof Rows, rows: readonly R[], idOf: (row: R) => string) {
    this.#name = name
    this.#idOf = idOf
    this.#rows = new SharedMap(rows.map((row) => [idOf(row), row]))
  }

  get size(): number {
    return this.#rows.size
  }

  get(id: string): R | undefined {
    return this.#rows.get(id)
  }

  values(): IterableIterator<R> {
    return this.#rows.values()
  }

  /** Adds a row, or replaces the row with its id. */
  put(row: R): void {
    const id = this.#idOf(row)
    const before = this.#rows.get(id)
    this.#rows.set(id, row)
    this.#noteWrite(before, row)
  }

  /** Removes a row. @returns false if there is no such row */
  remove(id: string): boolean {
    const row = this.#rows.get(id)
    if (!row) return false
    this.#rows.delete(id)
    this.#noteWrite(row, undefined)
    return true
  }

  fork(): KeyedTable<R> {
    const copy = new KeyedTable<R>(this.#name, [], this.#idOf)
    copy.#rows = this.#rows.fork()
    copy.stamp = this.stamp
    return copy
  }

  #noteWrite(before: R | undefined, after: R | undefined): void {
    this.stamp = {}
    this.observer?.noteWrite(this.#name, before, after)
  }
}

/** A map that its forks share, in the order of its keys. The first write after a fork makes a copy. */
class SharedMap<Key, Value> {
  #map: Map<Key, Value>
  #isShared = false

  constructor(entries: Iterable<readonly [Key, Value]> = []) {
    this.#map = new Map(entries)
  }

  get size(): number {
    return this.#map.size
  }

  get(key: Key): Value | undefined {
    return this.#map.get(key)
  }

  values(): IterableIterator<Value> {
    return this.#map.values()
  }

  set(key: Key, value: Value): void {
    this.#ownMap().set(key, value)
  }

  delete(key: Key): void {
    this.#ownMap().delete(key)
  }

  fork(): SharedMap<Key, Value> {
    const copy = new SharedMap<Key, Value>()
    copy.#map = this.#map
    copy.#isShared = true
    this.#isShared = true
    return copy
  }

  #ownMap(): Map<Key, Value> {
    if (this.#isShared) this.#map = new Map(this.#map)
    this.#isShared = false
    return this.#map
  }
}
