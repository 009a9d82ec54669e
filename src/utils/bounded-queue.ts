/** How much is kept; what is older makes room. */
export interface QueueBounds {
  readonly count: number
  readonly bytes: number
}

/**
 * The latest of some things, within a number and within bytes. Each has a position, which is counted up and stays
 * its own when what is older makes room.
 *
 * @example
 * const kept = new Kept<string>({ count: 2, bytes: 1_000 })
 * for (const text of ['a', 'b', 'c']) kept.push(text, 1)
 * kept.list() // ['b', 'c']
 */
export class BoundedQueue<T> {
  readonly #bounds: QueueBounds
  #items = new RingBuffer<T>()
  #sizes = new RingBuffer<number>()
  #bytes = 0
  #forgotten = 0
  #budget: MemoryBudget | null = null

  constructor(bounds: QueueBounds) {
    this.#bounds = bounds
  }

  /** How many are kept. */
  get size(): number {
    return this.#items.size
  }

  /** What is kept, in bytes, as it was told. */
  get bytes(): number {
    return this.#bytes
  }

  /** How many made room for others since it was cleared. */
  get evictedCount(): number {
    return this.#forgotten
  }

  /** The position that the next one will have. */
  get nextPosition(): number {
    return this.#items.end
  }

  /** @param bytes how much memory it holds */
  push(item: T, bytes: number): void {
    this.#items.push(item)
    this.#sizes.push(bytes)
    this.#count(bytes)
    const most = Math.min(this.#bounds.bytes, this.#budget?.allowance ?? this.#bounds.bytes)
    while (this.size > this.#bounds.count || (this.#bytes > most && this.size > 0)) this.#forget()
  }

  /** Those from a position on that are kept, the oldest first. */
  list(from = 0): T[] {
    return this.#items.list(from)
  }

  /** The oldest that is kept at a position or after it, with its own. */
  next(from: number): { readonly item: T; readonly position: number } | null {
    const position = Math.max(this.#items.start, from)
    return position < this.#items.end ? { item: this.#items.at(position), position } : null
  }

  /** What is kept, the latest first. */
  *latest(): IterableIterator<T> {
    const { start, end } = this.#items
    for (let position = end - 1; position >= start; position--) yield this.#items.at(position)
  }

  clear(): void {
    this.#items = new RingBuffer(this.#items.end)
    this.#sizes = new RingBuffer(this.#items.end)
    this.#count(-this.#bytes)
    this.#forgotten = 0
  }

  /** Shares bytes with others from here on; with null no more. */
  share(budget: MemoryBudget | null): void {
    for (const [part, sign] of [
      [this.#budget, -1],
      [budget, 1],
    ] as const) {
      if (!part) continue
      part.holders += sign
      part.used += sign * this.#bytes
    }
    this.#budget = budget
  }

  #forget(): void {
    this.#items.shift()
    this.#count(-this.#sizes.shift())
    this.#forgotten += 1
  }

  #count(bytes: number): void {
    this.#bytes += bytes
    if (this.#budget) this.#budget.used += bytes
  }
}

/** Bytes that several share: each may keep what it likes until all together keep too much, then its part. */
export class MemoryBudget {
  /** The most that all together may keep, but for those who kept more than their part before. */
  readonly limit: number
  /** What all together keep, in bytes. */
  used = 0
  /** How many share it. */
  holders = 0

  /** @param limit in bytes */
  constructor(limit: number) {
    this.limit = limit
  }

  /** What one of them may keep at the moment, in bytes. */
  get allowance(): number {
    return this.used <= this.limit ? Number.POSITIVE_INFINITY : this.limit / this.holders
  }
}

/**
 * About how much memory a value of JSON holds, in bytes. A text counts two for each character, which is what one
 * with any sign beyond Latin-1 takes.
 */
export function jsonSize(value: unknown): number {
  if (typeof value === 'string') return 16 + value.length * 2
  if (typeof value !== 'object' || value === null) return 8
  let bytes = 32
  for (const name in value) bytes += 8 + jsonSize((value as Record<string, unknown>)[name])
  return bytes
}

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
class RingBuffer<T> {
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
