/** A map that its forks share, in the order of its keys. The first write after a fork makes a copy. */
export class SharedMap<Key, Value> {
  #map: Map<Key, Value>
  #isShared = false

  constructor(entries: Iterable<readonly [Key, Value]> = []) {
    this.#map = new Map(entries)
  }

  get size(): number {
    return this.#map.size
  }

  get(key: Key): Value | undefined {
    return this.#map.get(key)
  }

  values(): IterableIterator<Value> {
    return this.#map.values()
  }

  set(key: Key, value: Value): void {
    this.#ownMap().set(key, value)
  }

  delete(key: Key): void {
    this.#ownMap().delete(key)
  }

  fork(): SharedMap<Key, Value> {
    const copy = new SharedMap<Key, Value>()
    copy.#map = this.#map
    copy.#isShared = true
    this.#isShared = true
    return copy
  }

  #ownMap(): Map<Key, Value> {
    if (this.#isShared) this.#map = new Map(this.#map)
    this.#isShared = false
    return this.#map
  }
}
