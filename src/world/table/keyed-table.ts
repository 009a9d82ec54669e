/**
 * Rows by a text, copy-on-write: for lists that stay short, such as keys and organizations.
 *
 * @example new Dictionary(keys, (key) => key.value).get('phx_1')
 */
export class KeyedTable<R extends object> {
  /** Told of each write: the row before and after it. Forks have none. */
  onWrite: ((before: object | undefined, after: object | undefined) => void) | null = null
  readonly #idOf: (row: R) => string
  #rows: Map<string, R>
  #isShared = false
  #version: object = {}

  constructor(rows: Iterable<R>, idOf: (row: R) => string) {
    this.#idOf = idOf
    this.#rows = new Map([...rows].map((row) => [idOf(row), row]))
  }

  /** Another object after each write; forks have the same one until they write. */
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

  /** Adds a row, or takes the place of the one with its id. */
  set(row: R): void {
    const id = this.#idOf(row)
    const before = this.#rows.get(id)
    this.#writable().set(id, row)
    this.onWrite?.(before, row)
  }

  /** Takes out a row; false when there is none. */
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
