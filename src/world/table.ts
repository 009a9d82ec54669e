import { LimitError } from '../utils/errors.ts'
import type { Rows, WriteObserver } from './rows.ts'
import { type Compare, mergeLists, type OrderedRows, SortedList } from './sorted-list.ts'
import { maxId } from './world-format.ts'

/** What rows are listed by, such as the id of a project. */
export type Place = number | string

/** How the rows of a table are listed. */
export interface Listing<R> {
  /** Negative if the first row comes first */
  readonly compare: Compare<R>
  /** The place that lists a row; null if none does */
  readonly placeOf: (row: R) => Place | null
}

/**
 * The rows of one list, by id and in an order for each place. Rows never change: a write replaces them. Ids are counted
 * up and never used twice. A fork takes constant time, whatever the number of rows.
 *
 * @example
 * const annotations = new Table('annotations', rows, { compare: newestFirst, placeOf: ({ project }) => project })
 * annotations.listed(1).slice(0, 100)
 */
export class Table<R extends { readonly id: number }> {
  /** Forks start without an observer. */
  observer: WriteObserver | null = null
  /** A new object after each write. Forks have the same version until one of them writes. */
  version: object = {}
  /** The id of the next row */
  nextId: number
  readonly #list: keyof Rows
  readonly #listing: Listing<R> | undefined
  #rows: SortedList<R>
  #places: Map<Place, SortedList<R>>
  /** The lists and the map that no fork shares. */
  #own = new Set<object>()

  constructor(list: keyof Rows, rows: readonly R[], listing?: Listing<R>) {
    const sorted = rows.toSorted(byId)
    this.#list = list
    this.#listing = listing
    this.#rows = new SortedList<R>(byId, sorted)
    this.#places = listing ? listByPlace(sorted, listing) : new Map()
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

  /** The rows of one place or of several, in order. An unknown place is empty. */
  listed(...places: readonly Place[]): OrderedRows<R> {
    const { compare = byId } = this.#listing ?? {}
    return places
      .map((place): OrderedRows<R> => this.#places.get(place) ?? new SortedList<R>(compare))
      .reduce((left, right) => mergeLists(left, right, compare))
  }

  /** Adds a row, or replaces the row with its id. @throws LimitError for a new id that no world file can contain */
  put(row: R): R {
    const before = this.get(row.id)
    if (!before && row.id > maxId) {
      throw new LimitError(
        `No more rows can be created: the list has a row with the highest id, ${maxId}.`,
      )
    }
    this.nextId = Math.max(this.nextId, row.id + 1)
    this.#write(before, row)
    return row
  }

  /** Removes a row. Its id is not used again. @returns false if there is no such row */
  remove(id: number): boolean {
    const row = this.get(id)
    if (row) this.#write(row, undefined)
    return row !== undefined
  }

  fork(): Table<R> {
    const copy = new Table<R>(this.#list, [], this.#listing)
    copy.#rows = this.#rows
    copy.#places = this.#places
    copy.version = this.version
    copy.nextId = this.nextId
    this.#own = new Set()
    return copy
  }

  #write(before: R | undefined, after: R | undefined): void {
    this.version = {}
    this.#rows = this.#writable(this.#rows)
    if (after) this.#rows.put(after)
    else if (before) this.#rows.remove(before)
    if (before) this.#listAt(before)?.remove(before)
    if (after) this.#listAt(after)?.put(after)
    this.observer?.recordWrite(this.#list, before, after)
  }

  /** The list of the place of a row, to write to. */
  #listAt(row: R): SortedList<R> | undefined {
    const place = this.#listing?.placeOf(row) ?? null
    if (!this.#listing || place === null) return undefined
    if (!this.#own.has(this.#places)) {
      this.#places = new Map(this.#places)
      this.#own.add(this.#places)
    }
    const { compare } = this.#listing
    const list = this.#writable(this.#places.get(place) ?? new SortedList<R>(compare))
    this.#places.set(place, list)
    return list
  }

  #writable(list: SortedList<R>): SortedList<R> {
    if (this.#own.has(list)) return list
    const copy = list.fork()
    this.#own.add(copy)
    return copy
  }
}

function byId(a: { readonly id: number }, b: { readonly id: number }): number {
  return a.id - b.id
}

function listByPlace<R extends object>(
  rows: readonly R[],
  { compare, placeOf }: Listing<R>,
): Map<Place, SortedList<R>> {
  const listed = new Map<Place, R[]>()
  for (const row of rows) {
    const place = placeOf(row)
    if (place === null) continue
    const list = listed.get(place)
    if (list) list.push(row)
    else listed.set(place, [row])
  }
  const toList = (list: R[]) => new SortedList(compare, list.sort(compare))
  return new Map([...listed].map(([place, list]) => [place, toList(list)]))
}

/** Rows by a text, in the order in which they were added, for short lists: keys and organizations. */
export class KeyedTable<R extends object> {
  /** Forks start without an observer. */
  observer: WriteObserver | null = null
  /** A new object after each write. Forks have the same version until one of them writes. */
  version: object = {}
  readonly #list: keyof Rows
  readonly #idOf: (row: R) => string
  #rows: Map<string, R>
  #isShared = false

  constructor(list: keyof Rows, rows: readonly R[], idOf: (row: R) => string) {
    this.#list = list
    this.#idOf = idOf
    this.#rows = new Map(rows.map((row) => [idOf(row), row]))
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
    this.#write(this.#idOf(row), row)
  }

  /** Removes a row. @returns false if there is no such row */
  remove(id: string): boolean {
    return this.#write(id, undefined) !== undefined
  }

  fork(): KeyedTable<R> {
    const copy = new KeyedTable<R>(this.#list, [], this.#idOf)
    copy.#rows = this.#rows
    copy.version = this.version
    copy.#isShared = true
    this.#isShared = true
    return copy
  }

  #write(id: string, after: R | undefined): R | undefined {
    const before = this.#rows.get(id)
    if (!before && !after) return undefined
    if (this.#isShared) this.#rows = new Map(this.#rows)
    this.#isShared = false
    this.version = {}
    if (after) this.#rows.set(id, after)
    else this.#rows.delete(id)
    this.observer?.recordWrite(this.#list, before, after)
    return before
  }
}
