import type { JsonText } from '../../utils/json-text.ts'

/** A row in its table, with what is kept of it so as not to be worked out again. */
export interface TableEntry<R> {
  readonly row: R
  /** Where it stands among others, but for ties. @note Kept here: rows are far away, and finding a place asks many. */
  readonly rank: number
  /** Its text, once it was sent, and the rows it shows besides its own as they were then. */
  serialized: { readonly wire: JsonText<unknown>; readonly shown: object } | null
  /** What a search looks in, once it was asked for. */
  searchText: string | null | undefined
}

/** @note A literal: they live long, and of literals that do V8 makes the next ones old at once, with nothing to copy. */
export function createEntry<R>(row: R, rank: number): TableEntry<R> {
  return { row, rank, serialized: null, searchText: undefined }
}

/** Lists whose rows are shown inside rows of other lists. */
interface EmbeddableTables {
  readonly organizations: { readonly version: object }
  readonly users: { readonly version: object }
  readonly dashboard_items: { readonly version: object }
}

/** The rows that others show, as they are between two changes of any of them. */
export class EmbeddedRows {
  /** The texts of users, by id, as far as somebody asked for them. */
  readonly userTexts: Map<number, JsonText<unknown>> = new Map()
}

/**
 * Tells whether rows that others show have changed: it gives the same object while they have not. Worlds
 * forked from one share it, and with it the texts of the rows they share.
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
