import type { Wire } from '../wire.ts'

/** Lists whose rows are shown inside rows of other lists. */
interface Lists {
  readonly organizations: { readonly version: object }
  readonly users: { readonly version: object }
  readonly dashboard_items: { readonly version: object }
}

/** The rows that others show, as they are between two changes of any of them. */
export class Shown {
  /** The texts of users, by id, as far as somebody asked for them. */
  readonly users: Map<number, Wire<unknown>> = new Map()
}

/**
 * Tells whether rows that others show have changed: it gives the same object while they have not. Worlds
 * forked from one share it, and with it the texts of the rows they share.
 */
export class Stamp {
  #seen: readonly object[] = []
  #shown = new Shown()

  now({ organizations, users, dashboard_items }: Lists): Shown {
    const [first, second, third] = this.#seen
    const isSame =
      first === organizations.version &&
      second === users.version &&
      third === dashboard_items.version
    if (!isSame) {
      this.#seen = [organizations.version, users.version, dashboard_items.version]
      this.#shown = new Shown()
    }
    return this.#shown
  }

  fork(): Stamp {
    const copy = new Stamp()
    copy.#seen = this.#seen
    copy.#shown = this.#shown
    return copy
  }
}
