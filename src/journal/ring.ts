/** How many places the first ring has: a power of two, as all later ones. */
const initialCapacity = 16

/**
 * A queue that goes round in one array: what leaves it is referred to from nowhere any more.
 *
 * @note A plain array that is cut off in front now and then leaves copies behind. To the collector of young objects
 * those are as good as alive, and all that stands in them is kept until the whole heap is looked through.
 *
 * @example
 * const ring = new Ring<string>()
 * ring.push('a')
 * ring.push('b')
 * ring.shift() // 'a'
 * ring.at(1) // 'b', at the position that it has had from the beginning
 */
export class RingBuffer<T> {
  #places: (T | undefined)[] = new Array(initialCapacity).fill(undefined)
  #start: number
  #end: number

  /** @param position that the first will have */
  constructor(position = 0) {
    this.#start = position
    this.#end = position
  }

  /** The position of the oldest. */
  get start(): number {
    return this.#start
  }

  /** The position that the next one will have. */
  get end(): number {
    return this.#end
  }

  get size(): number {
    return this.#end - this.#start
  }

  /** What stands at a position from `start` up to `end`. */
  at(position: number): T {
    return this.#places[this.#placeOf(position)] as T
  }

  push(item: T): void {
    if (this.size === this.#places.length) this.#grow()
    this.#places[this.#placeOf(this.#end)] = item
    this.#end += 1
  }

  /** Takes out the oldest; there must be one. */
  shift(): T {
    const oldest = this.at(this.#start)
    this.#places[this.#placeOf(this.#start)] = undefined
    this.#start += 1
    return oldest
  }

  /** Those from a position on, the oldest first. */
  list(from: number): T[] {
    const items: T[] = []
    for (let position = Math.max(from, this.#start); position < this.#end; position++) {
      items.push(this.at(position))
    }
    return items
  }

  #placeOf(position: number): number {
    return position % this.#places.length
  }

  #grow(): void {
    const items = this.list(this.#start)
    this.#places = new Array(items.length * 2).fill(undefined)
    for (const [index, item] of items.entries()) {
      this.#places[this.#placeOf(this.#start + index)] = item
    }
  }
}
