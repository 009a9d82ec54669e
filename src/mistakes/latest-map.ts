/** A map with the latest entries that were set: at most so many. */
export class LatestMap<Key, Value> extends Map<Key, Value> {
  readonly #size: number

  constructor(size = 1_000) {
    super()
    this.#size = size
  }

  override set(key: Key, value: Value): this {
    // Deleted first, so that the key becomes the latest one.
    this.delete(key)
    super.set(key, value)
    if (this.size > this.#size) this.delete(this.keys().next().value as Key)
    return this
  }
}
