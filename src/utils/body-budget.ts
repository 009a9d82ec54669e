import { getHeapStatistics } from 'node:v8'

/** The largest body that is kept, in bytes, also if a smaller one stands for it. */
export const maxBody: number = 8 * 2 ** 20

/** The most bytes that are kept together. A small heap has room for a sixteenth of it: each is copied often. */
const maxBytes = 256 * 2 ** 20
const heapShare = 16

/** How many bytes are kept of what others send: of the bodies of a run, or of the rows of a server. */
export function roomForSent(): number {
  return Math.min(maxBytes, getHeapStatistics().heap_size_limit / heapShare)
}

/** How many bytes a command keeps of the traffic that it reads. */
export class BodyBudget {
  readonly size: number = roomForSent()
  #left = this.size

  /** Whether something was left out, although it was not too large itself. */
  isSpent = false

  /** @param most the largest that is taken */
  takes(bytes: number, most: number = maxBody): boolean {
    if (bytes > most) return false
    if (bytes > this.#left) this.isSpent = true
    else this.#left -= bytes
    return !this.isSpent
  }

  giveBack(bytes: number): void {
    this.#left += bytes
  }

  /** @example 'The bodies have more than 256 MiB together, and the others are left out.' */
  get sentence(): string {
    const size = Math.floor(this.size / 2 ** 20)
    return `The bodies have more than ${size} MiB together, and the others are left out.`
  }
}
