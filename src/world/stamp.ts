/** Lists whose rows are shown inside rows of other lists. */
interface Shown {
  readonly organizations: { readonly version: object }
  readonly users: { readonly version: object }
  readonly dashboard_items: { readonly version: object }
}

/**
 * Tells whether rows that others show have changed: the stamp of two moments is the same object while they
 * have not. Worlds forked from one share it, and with it the texts of the rows they share.
 */
export class Stamp {
  #seen: readonly object[] = []
  #stamp: object = {}

  now({ organizations, users, dashboard_items }: Shown): object {
    const [first, second, third] = this.#seen
    const isSame =
      first === organizations.version &&
      second === users.version &&
      third === dashboard_items.version
    if (!isSame) {
      this.#seen = [organizations.version, users.version, dashboard_items.version]
      this.#stamp = {}
    }
    return this.#stamp
  }

  fork(): Stamp {
    const copy = new Stamp()
    copy.#seen = this.#seen
    copy.#stamp = this.#stamp
    return copy
  }
}
