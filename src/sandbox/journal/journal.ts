import type { MemoryBudget } from '../../utils/bounded-queue.ts'
import { BoundedQueue } from '../../utils/bounded-queue.ts'
import { unexpectedValue } from '../../utils/usage-error.ts'
import type { PendingRecord } from './record.ts'
import { compactRecord, type JournalRecord, recordSize } from './record.ts'

/** How much a journal keeps; what is older makes room. */
export interface JournalLimits {
  /** Requests; 0 keeps none. By default 1,000 */
  readonly entries?: number
  /** Bytes of what is kept of them. By default 16 MiB; a body of more than a quarter of it is left out */
  readonly bytes?: number
}

/** The latest requests to a sandbox, and what was answered, as they were. */
export class Journal {
  readonly limits: Required<JournalLimits>
  readonly #kept: BoundedQueue<JournalRecord>
  readonly #report: (error: unknown) => void
  readonly #listeners = new Set<(record: JournalRecord | null) => void>()
  #lastId = 0
  #hasEnded = false

  /**
   * @param report told of what a listener throws
   * @throws UsageError for what is no limit
   */
  constructor(
    { entries = 1_000, bytes = 16 * 1024 * 1024 }: JournalLimits,
    report: (error: unknown) => void,
  ) {
    for (const [name, value] of Object.entries({ entries, bytes })) {
      if (Number.isInteger(value) && value >= 0) continue
      const expected = `${name} to be a whole number from 0 on`
      throw unexpectedValue('limit the journal', expected, value, undefined, `journal.${name}`)
    }
    this.limits = { entries, bytes }
    this.#report = report
    this.#kept = new BoundedQueue({ count: entries, bytes })
  }

  /** Whether nothing is kept, whatever comes. */
  get isOff(): boolean {
    return this.limits.entries === 0
  }

  /** How many are no longer kept since it was cleared. */
  get evictedCount(): number {
    return this.#kept.evictedCount
  }

  /** What is kept, in bytes. */
  get bytes(): number {
    return this.#kept.bytes
  }

  /** The position that the next one will have: they are counted in the order in which they were answered. */
  get position(): number {
    return this.#kept.nextPosition
  }

  /** The number of the entry that a request will have: counted up, and never used twice. */
  nextId(): number {
    this.#lastId += 1
    return this.#lastId
  }

  /** @param record is the journal's own from here on */
  add(record: PendingRecord): void {
    if (this.isOff) return
    compactRecord(record, this.limits.bytes / 4)
    this.#kept.push(record, recordSize(record))
    for (const listener of this.#listeners) {
      try {
        listener(record)
      } catch (error) {
        // What a listener does wrong is not the fault of the request that it is told of.
        this.#report(error)
      }
    }
  }

  /** What is kept, in the order in which it was answered. */
  get records(): JournalRecord[] {
    return this.#kept.list()
  }

  /** The oldest that is kept at a position or after it. */
  next(from: number): { readonly item: JournalRecord; readonly position: number } | null {
    return this.#kept.next(from)
  }

  /** Forgets what is kept. Numbers go on from where they are. */
  clear(): void {
    this.#kept.clear()
  }

  /**
   * Tells of each record from here on, and null when there will be no more: at once where it has ended.
   *
   * @returns ends that
   */
  listen(listener: (record: JournalRecord | null) => void): () => void {
    if (this.#hasEnded) {
      listener(null)
      return () => {}
    }
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** How many listen. */
  get listenerCount(): number {
    return this.#listeners.size
  }

  /** Shares its bytes with other journals. */
  share(budget: MemoryBudget): void {
    this.#kept.share(budget)
  }

  /** Frees what it holds, and lets go of those who listen. */
  close(): void {
    this.#hasEnded = true
    this.#kept.clear()
    this.#kept.share(null)
    for (const listener of [...this.#listeners]) listener(null)
    this.#listeners.clear()
  }
}
