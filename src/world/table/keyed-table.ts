import type { Rows } from '../rows.ts'
import type { WriteObserver } from './table.ts'

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
