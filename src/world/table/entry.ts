import type { JsonText } from '../../utils/json-text.ts'

/** A row in its table, with values that were computed from it. */
export interface TableEntry<R> {
  readonly row: R
  /** The primary sort key. Stored here, because a search for a position reads many ranks. */
  readonly rank: number
  /** The JSON text of the row after it was first sent, and the embedded rows at that time. */
  serialized: { readonly wire: JsonText<unknown>; readonly shown: object } | null
  /** The searchable text after the first search. */
  searchText: string | null | undefined
}

/** Creates entries with an object literal, because V8 allocates long-lived literals in its old space, without a copy. */
export function createEntry<R>(row: R, rank: number): TableEntry<R> {
  return { row, rank, serialized: null, searchText: undefined }
}

/** The lists whose rows are embedded in rows of other lists. */
interface EmbeddableTables {
  readonly organizations: { readonly version: object }
  readonly users: { readonly version: object }
  readonly dashboard_items: { readonly version: object }
}

/** The embedded rows between two changes of any of them. */
export class EmbeddedRows {
  /** The JSON texts of users by id, as far as they were needed. */
  readonly userTexts: Map<number, JsonText<unknown>> = new Map()
}

/**
 * Detects changes of embedded rows: `current` returns the same object until one of them changes. Forked worlds share
 * the cache, and with it the JSON texts of shared rows.
 */
export class EmbeddedRowsCache {
  #versions: readonly object[] = []
  #rows = new EmbeddedRows()

  current({ organizations, users, dashboard_items }: EmbeddableTables): EmbeddedRows {
    const [first, second, third] = this.#versions
    const isSame =
      first === organizations.version &&
      second === users.version &&
      third === dashboard_items.version
    if (!isSame) {
      this.#versions = [organizations.version, users.version, dashboard_items.version]
      this.#rows = new EmbeddedRows()
    }
    return this.#rows
  }

  fork(): EmbeddedRowsCache {
    const copy = new EmbeddedRowsCache()
    copy.#versions = this.#versions
    copy.#rows = this.#rows
    return copy
  }
}
