import type { JsonText } from '../wire.ts'

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
