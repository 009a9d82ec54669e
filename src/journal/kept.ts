import type { MemoryBudget } from './budget.ts'
import { RingBuffer } from './ring.ts'

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
