/** The bounds of a {@link BoundedQueue}. Older items are evicted when one of them is exceeded. */
export interface QueueBounds {
  readonly count: number
  readonly bytes: number
}

/**
 * The most recent items, bounded by count and by memory. Each item has a position that never changes: the first item
 * ever pushed has position 0.
 */
export class BoundedQueue<T> {
  readonly #bounds: QueueBounds
  /**
   * A circular array, so that removed items are released at once. A plain array that is cut with `slice` leaves copies of
   * itself behind, and in a generational garbage collector these keep their items alive until the next full collection.
   */
  #items: (T | undefined)[] = []
  #sizes: number[] = []
  #start = 0
  #end = 0
  #bytes = 0
  #evictedCount = 0

  constructor(bounds: QueueBounds) {
    this.#bounds = bounds
  }

  get size(): number {
    return this.#end - this.#start
  }

  /** The memory of all items, as declared to `push`. */
  get bytes(): number {
    return this.#bytes
  }

  /** How many items were evicted since the queue was last cleared. */
  get evictedCount(): number {
    return this.#evictedCount
  }

  get nextPosition(): number {
    return this.#end
  }

  /** @param bytes how much memory the item holds */
  push(item: T, bytes: number): void {
    if (this.size === this.#items.length) this.#grow()
    const slot = this.#end % this.#items.length
    this.#items[slot] = item
    this.#sizes[slot] = bytes
    this.#end += 1
    this.#bytes += bytes
    const { count, bytes: maxBytes } = this.#bounds
    while (this.size > count || (this.#bytes > maxBytes && this.size > 0)) {
      this.#evict()
    }
  }

  list(from = 0): T[] {
    const start = Math.max(from, this.#start)
    // A list that grows has room for 16 more items, and lists of a few items are stored per request.
    const items = new Array<T>(Math.max(0, this.#end - start))
    for (let index = 0; index < items.length; index++) items[index] = this.#at(start + index)
    return items
  }

  next(from: number): { readonly item: T; readonly position: number } | null {
    const position = Math.max(this.#start, from)
    return position < this.#end ? { item: this.#at(position), position } : null
  }

  clear(): void {
    this.#items = []
    this.#sizes = []
    this.#start = this.#end
    this.#bytes = 0
    this.#evictedCount = 0
  }

  #at(position: number): T {
    return this.#items[position % this.#items.length] as T
  }

  #evict(): void {
    const slot = this.#start % this.#items.length
    this.#items[slot] = undefined
    this.#start += 1
    this.#bytes -= this.#sizes[slot] as number
    this.#evictedCount += 1
  }

  #grow(): void {
    const [items, sizes, length] = [this.#items, this.#sizes, this.#items.length]
    // Most queues of many sandboxes have few items.
    const capacity = Math.max(2, length * 2)
    this.#items = new Array(capacity).fill(undefined)
    this.#sizes = new Array(capacity).fill(0)
    for (let position = this.#start; position < this.#end; position++) {
      this.#items[position % capacity] = items[position % length]
      this.#sizes[position % capacity] = sizes[position % length] as number
    }
  }
}

/** Estimates the memory of a JSON value in bytes. */
export function jsonSize(value: unknown): number {
  if (typeof value === 'string') return 16 + value.length
  if (typeof value !== 'object' || value === null) return 8
  let bytes = 32
  for (const name in value) bytes += 8 + jsonSize((value as Record<string, unknown>)[name])
  return bytes
}
