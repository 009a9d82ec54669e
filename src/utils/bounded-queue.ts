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
  #entries: { readonly item: T; readonly bytes: number }[] = []
  /** The position of the first item */
  #start = 0
  #bytes = 0
  #evictedCount = 0

  constructor(bounds: QueueBounds) {
    this.#bounds = bounds
  }

  get size(): number {
    return this.#entries.length
  }

  /** How many items were evicted since the queue was last cleared. */
  get evictedCount(): number {
    return this.#evictedCount
  }

  get nextPosition(): number {
    return this.#start + this.size
  }

  /** @param bytes how much memory the item holds */
  push(item: T, bytes: number): void {
    this.#entries.push({ item, bytes })
    this.#bytes += bytes
    const { count, bytes: maxBytes } = this.#bounds
    while (this.size > count || (this.#bytes > maxBytes && this.size > 0)) {
      this.#bytes -= this.#entries.shift()?.bytes ?? 0
      this.#start += 1
      this.#evictedCount += 1
    }
  }

  /** @param to the position after the last item */
  list(from = 0, to: number = this.nextPosition): T[] {
    const [start, end] = [from, to].map((position) => Math.max(0, position - this.#start))
    return this.#entries.slice(start, end).map(({ item }) => item)
  }

  next(from: number): { readonly item: T; readonly position: number } | null {
    const index = Math.max(0, from - this.#start)
    const entry = this.#entries[index]
    return entry ? { item: entry.item, position: this.#start + index } : null
  }

  clear(): void {
    this.#start = this.nextPosition
    this.#entries = []
    this.#bytes = 0
    this.#evictedCount = 0
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
