import type { Budget } from './budget.ts'

/** How much is kept; what is older makes room. */
export interface Bounds {
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
export class Kept<T> {
  readonly #bounds: Bounds
  #items: (T | undefined)[] = []
  #sizes: number[] = []
  /** Where in the arrays the oldest stands. */
  #first = 0
  /** The position of what stands first in the arrays. */
  #offset = 0
  #bytes = 0
  #forgotten = 0
  #budget: Budget | null = null

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  /** How many are kept. */
  get size(): number {
    return this.#items.length - this.#first
  }

  /** What is kept, in bytes, as it was told. */
  get bytes(): number {
    return this.#bytes
  }

  /** How many made room for others since it was cleared. */
  get forgotten(): number {
    return this.#forgotten
  }

  /** The position that the next one will have. */
  get end(): number {
    return this.#offset + this.#items.length
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
    return this.#items.slice(Math.max(this.#first, from - this.#offset)) as T[]
  }

  /** The oldest that is kept at a position or after it, with its own. */
  next(from: number): { readonly item: T; readonly position: number } | null {
    const index = Math.max(this.#first, from - this.#offset)
    if (index >= this.#items.length) return null
    return { item: this.#items[index] as T, position: this.#offset + index }
  }

  /** What is kept, the latest first. */
  *latest(): IterableIterator<T> {
    for (let index = this.#items.length - 1; index >= this.#first; index--) {
      yield this.#items[index] as T
    }
  }

  clear(): void {
    this.#offset += this.#items.length
    this.#items = []
    this.#sizes = []
    this.#first = 0
    this.#count(-this.#bytes)
    this.#forgotten = 0
  }

  /** Shares bytes with others from here on; with null no more. */
  share(budget: Budget | null): void {
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
    this.#count(-(this.#sizes[this.#first] as number))
    this.#items[this.#first] = undefined
    this.#first += 1
    this.#forgotten += 1
    // Only now and then: moving all of them each time would cost more than all the rest.
    if (this.#first < 64 || this.#first * 2 < this.#items.length) return
    this.#items = this.#items.slice(this.#first)
    this.#sizes = this.#sizes.slice(this.#first)
    this.#offset += this.#first
    this.#first = 0
  }

  #count(bytes: number): void {
    this.#bytes += bytes
    if (this.#budget) this.#budget.used += bytes
  }
}
