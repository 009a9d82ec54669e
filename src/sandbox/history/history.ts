import {
  BoundedQueue,
  jsonSize,
  type MemoryBudget,
  type QueueBounds,
} from '../../utils/bounded-queue.ts'
import type { KeyRow } from '../../world/rows.ts'
import type { ListName } from '../../world/table/lists.ts'

/** One write to a row. */
export interface RowChange {
  readonly list: ListName
  readonly before: object | undefined
  readonly after: object | undefined
  /** What the write was part of: a request by the number of its journal entry, or whoever else wrote. */
  readonly cause: WriteCause
  /** How much memory it holds, both rows included. */
  readonly bytes: number
}

export type WriteCause =
  | { readonly entry: number }
  | { readonly actor: string }
  | { readonly edit: 'world' }

/** Writes that are nobody's request: by typed access, or by the control API. */
export const directEdit: WriteCause = { edit: 'world' }

/** The latest writes to the rows of a sandbox: as many as it may keep, 10,000 and 16 MiB by default. */
export class ChangeHistory {
  /** What writes are part of at the moment. */
  cause: WriteCause = directEdit
  /** The keys that there have been, which outlast the changes. */
  readonly keys: KeyLabels = new KeyLabels()
  readonly #kept: BoundedQueue<RowChange>
  #count = 0

  constructor({ count = 10_000, bytes = 16 * 1024 * 1024 }: Partial<QueueBounds> = {}) {
    this.#kept = new BoundedQueue({ count, bytes })
  }

  /** How many changes there have been. */
  get count(): number {
    return this.#count
  }

  /** How many changes are no longer kept, of those since the rows were put in place. */
  get evictedCount(): number {
    return this.#kept.evictedCount
  }

  /** What is kept, in bytes. */
  get bytes(): number {
    return this.#kept.bytes
  }

  /** Called for each write, from the first on. */
  readonly record = (
    list: ListName,
    before: object | undefined,
    after: object | undefined,
  ): void => {
    this.#count += 1
    if (list === 'keys') for (const row of [before, after]) if (row) this.keys.add(row as KeyRow)
    const bytes = 100 + jsonSize(before) + jsonSize(after)
    this.#kept.push({ list, before, after, cause: this.cause, bytes }, bytes)
  }

  /**
   * Forgets the changes: other rows have taken the place of those that were changed.
   *
   * @param keys those that were there
   */
  clear(keys: Iterable<KeyRow> = []): void {
    for (const key of keys) this.keys.add(key)
    this.#kept.clear()
  }

  /** The changes since there were `count` of them, as far as they are kept. */
  since(count: number): readonly RowChange[] {
    return this.#count === count
      ? noChanges
      : this.#kept.list(this.#kept.nextPosition - (this.#count - count))
  }

  /** The changes that are kept, the latest first. */
  latest(): IterableIterator<RowChange> {
    return this.#kept.latest()
  }

  /** Shares its bytes with other histories. */
  share(budget: MemoryBudget): void {
    this.#kept.share(budget)
  }

  /** Frees what it holds. */
  close(): void {
    this.#kept.clear()
    this.#kept.share(null)
  }
}

const noChanges: readonly RowChange[] = []

/** How many keys are remembered; of more, the latest. */
const maxLabels = 1_000

/** The keys that a sandbox has had, by value: those that are gone are still to be hidden, and told by their labels. */
class KeyLabels {
  readonly #labels = new Map<string, string>()
  #version: object = {}

  /** Another object after each key that was told. */
  get version(): object {
    return this.#version
  }

  add({ value, label }: Pick<KeyRow, 'value' | 'label'>): void {
    // Told once more, a key is among the latest again.
    this.#version = {}
    this.#labels.delete(value)
    this.#labels.set(value, label)
    if (this.#labels.size <= maxLabels) return
    const [oldest] = this.#labels.keys()
    this.#labels.delete(oldest as string)
  }

  /** Each value with its label, the latest last. */
  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.#labels.entries()
  }
}
