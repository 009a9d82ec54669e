/** How much more a map may have before the oldest entries are deleted together: to find each one alone takes longer. */
const slack = 1.25

/** A map with the latest entries that were set: about so many, and fewer with long texts. */
export class LatestMap<Key extends string | number, Value> extends Map<Key, Value> {
  readonly #size: number
  readonly #maxCharacters: number
  #characters = 0
  #latest: Key | undefined

  /** @param maxCharacters of all keys, and of values that are texts: a client chooses their length */
  constructor(size = 1_000, maxCharacters = 1_000 * size) {
    super()
    this.#size = size
    this.#maxCharacters = maxCharacters
  }

  override set(key: Key, value: Value): this {
    // Deleted first, so that the key becomes the latest one, which it most often is.
    if (key !== this.#latest || typeof value === 'string') {
      this.delete(key)
      this.#latest = key
      this.#characters += lengthOf(key) + lengthOf(value)
    }
    super.set(key, value)
    if (this.size > this.#size * slack || this.#characters > this.#maxCharacters)
      this.#deleteOldest()
    return this
  }

  #deleteOldest() {
    for (const key of this.keys()) {
      if (this.size <= this.#size && this.#characters <= this.#maxCharacters / slack) return
      this.delete(key)
    }
  }

  override delete(key: Key): boolean {
    const value = this.get(key)
    if (!super.delete(key)) return false
    if (key === this.#latest) this.#latest = undefined
    this.#characters -= lengthOf(key) + lengthOf(value)
    return true
  }
}

function lengthOf(text: unknown) {
  return typeof text === 'string' ? text.length : 0
}

/** The items that have a key in common, in their order. */
export function groupBy<Item, Key>(
  items: Iterable<Item>,
  keyOf: (item: Item) => Key,
): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}
