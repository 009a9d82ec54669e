/** The bounds of a {@link BoundedQueue}. Older items are evicted when one of them is exceeded. */
export interface QueueBounds {
  readonly count: number
  readonly bytes: number
}

/**
 * The most recent items, bounded by count and by memory. Each item has a position that never changes: the first item
 * ever pushed has position 0.
 *
 * @example
 * const queue = new BoundedQueue<string>({ count: 2, bytes: 1_000 })
 * for (const text of ['a', 'b', 'c']) queue.push(text, 1)
 * queue.list() // ['b', 'c']
 */
export class BoundedQueue<T> {
  readonly #bounds: QueueBounds
  #items = new RingBuffer<T>()
  #sizes = new RingBuffer<number>()
  #bytes = 0
  #evictedCount = 0
  #budget: MemoryBudget | null = null

  constructor(bounds: QueueBounds) {
    this.#bounds = bounds
  }

  get size(): number {
    return this.#items.size
  }

  /** The memory of all items, as declared to `push`. */
  get bytes(): number {
    return this.#bytes
  }

  /** How many items were evicted since the queue was last cleared. */
  get evictedCount(): number {
    return this.#evictedCount
  }

  /** The position that the next item will get. */
  get nextPosition(): number {
    return this.#items.end
  }

  /** @param bytes how much memory the item holds */
  push(item: T, bytes: number): void {
    this.#items.push(item)
    this.#sizes.push(bytes)
    this.#addBytes(bytes)
    const maxBytes = Math.min(this.#bounds.bytes, this.#budget?.allowance ?? this.#bounds.bytes)
    while (this.size > this.#bounds.count || (this.#bytes > maxBytes && this.size > 0)) {
      this.#evict()
    }
  }

  /** Returns the items from a position on, oldest first. */
  list(from = 0): T[] {
    return this.#items.list(from)
  }

  /** Returns the oldest item at or after a position, or null. */
  next(from: number): { readonly item: T; readonly position: number } | null {
    const position = Math.max(this.#items.start, from)
    return position < this.#items.end ? { item: this.#items.at(position), position } : null
  }

  /** Iterates over the items, newest first. */
  *latest(): IterableIterator<T> {
    const { start, end } = this.#items
    for (let position = end - 1; position >= start; position--) yield this.#items.at(position)
  }

  clear(): void {
    this.#items = new RingBuffer(this.#items.end)
    this.#sizes = new RingBuffer(this.#items.end)
    this.#addBytes(-this.#bytes)
    this.#evictedCount = 0
  }

  /** Joins a budget that several queues share, or leaves it with null. */
  share(budget: MemoryBudget | null): void {
    this.#budget?.remove(this.#bytes)
    budget?.add(this.#bytes)
    this.#budget = budget
  }

  #evict(): void {
    this.#items.shift()
    this.#addBytes(-this.#sizes.shift())
    this.#evictedCount += 1
  }

  #addBytes(bytes: number): void {
    this.#bytes += bytes
    if (this.#budget) this.#budget.used += bytes
  }
}

/**
 * A memory limit for several queues. A queue may use any amount until all of them together exceed the limit. From then
 * on, each queue that grows is cut to an equal share.
 */
export class MemoryBudget {
  /** In bytes. Queues that exceeded their share earlier shrink only when they grow again. */
  readonly limit: number
  /** The memory of all queues, in bytes. */
  used = 0
  /** The number of queues. */
  holders = 0

  /** @param limit in bytes */
  constructor(limit: number) {
    this.limit = limit
  }

  /** How much one queue may hold at present, in bytes. */
  get allowance(): number {
    return this.used <= this.limit ? Number.POSITIVE_INFINITY : this.limit / this.holders
  }

  /** Adds a queue that holds this many bytes. */
  add(bytes: number): void {
    this.holders += 1
    this.used += bytes
  }

  /** Removes a queue that holds this many bytes. */
  remove(bytes: number): void {
    this.holders -= 1
    this.used -= bytes
  }
}

/**
 * Estimates the memory of a JSON value in bytes. Counts two bytes per character, as engines need for a string with any
 * character outside Latin-1.
 */
export function jsonSize(value: unknown): number {
  if (typeof value === 'string') return 16 + value.length * 2
  if (typeof value !== 'object' || value === null) return 8
  let bytes = 32
  for (const name in value) bytes += 8 + jsonSize((value as Record<string, unknown>)[name])
  return bytes
}

const initialCapacity = 16

/**
 * A first-in, first-out queue in a circular array. Items keep their position, and removed items are released at once.
 *
 * @note A plain array that is cut with `slice` leaves copies of itself behind. In a generational garbage collector,
 * old copies keep their items alive until the next full collection.
 *
 * @example
 * const ring = new RingBuffer<string>()
 * ring.push('a')
 * ring.push('b')
 * ring.shift() // 'a'
 * ring.at(1) // 'b'
 */
class RingBuffer<T> {
  #slots: (T | undefined)[] = new Array(initialCapacity).fill(undefined)
  #start: number
  #end: number

  /** @param position the position of the first item */
  constructor(position = 0) {
    this.#start = position
    this.#end = position
  }

  /** The position of the oldest item. */
  get start(): number {
    return this.#start
  }

  /** The position that the next item will get. */
  get end(): number {
    return this.#end
  }

  get size(): number {
    return this.#end - this.#start
  }

  /** @param position from `start` up to, but not including, `end` */
  at(position: number): T {
    return this.#slots[position % this.#slots.length] as T
  }

  push(item: T): void {
    if (this.size === this.#slots.length) this.#grow()
    this.#slots[this.#end % this.#slots.length] = item
    this.#end += 1
  }

  /** Removes the oldest item. The buffer must not be empty. */
  shift(): T {
    const oldest = this.at(this.#start)
    this.#slots[this.#start % this.#slots.length] = undefined
    this.#start += 1
    return oldest
  }

  /** Returns the items from a position on, oldest first. */
  list(from: number): T[] {
    const items: T[] = []
    for (let position = Math.max(from, this.#start); position < this.#end; position++) {
      items.push(this.at(position))
    }
    return items
  }

  #grow(): void {
    const items = this.list(this.#start)
    this.#slots = new Array(items.length * 2).fill(undefined)
    for (const [index, item] of items.entries()) {
      this.#slots[(this.#start + index) % this.#slots.length] = item
    }
  }
}
