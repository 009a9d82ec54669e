/** The most characters of all keys, and of values that are texts: a client chooses their length. */
const maxCharacters = 2 ** 20

/** A map with the latest entries that were set: at most so many, and fewer with long texts. */
export class LatestMap<Key extends string, Value> extends Map<Key, Value> {
  readonly #size: number
  #characters = 0

  constructor(size = 1_000) {
    super()
    this.#size = size
  }

  override set(key: Key, value: Value): this {
    // Deleted first, so that the key becomes the latest one.
    this.delete(key)
    super.set(key, value)
    this.#characters += lengthOf(key, value)
    while (this.size > this.#size || this.#characters > maxCharacters) {
      this.delete(this.keys().next().value as Key)
    }
    return this
  }

  override delete(key: Key): boolean {
    const value = this.get(key)
    if (!super.delete(key)) return false
    this.#characters -= lengthOf(key, value)
    return true
  }

  override clear(): void {
    super.clear()
    this.#characters = 0
  }
}

function lengthOf(key: string, value: unknown): number {
  return key.length + (typeof value === 'string' ? value.length : 0)
}
