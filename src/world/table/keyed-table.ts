/**
 * Rows by a text key, copy-on-write: for short lists such as keys and organizations.
 *
 * @example new KeyedTable(keys, (key) => key.value).get('phx_1')
 */
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
