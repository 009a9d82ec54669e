import type { ListName } from '../world/watch.ts'

/** One write to a row. */
export interface Change {
  readonly list: ListName
  readonly before: object | undefined
  readonly after: object | undefined
  /** What the write was part of: a request by the number of its journal entry, or whoever else wrote. */
  readonly cause: Cause
}

export type Cause =
  | { readonly entry: number }
  | { readonly actor: string }
  | { readonly edit: 'world' }

/** Writes that are nobody's request: by typed access, or by the control API. */
export const edited: Cause = { edit: 'world' }

/** The latest writes to the rows of a sandbox, oldest first; as many as it may keep. */
export class History {
  /** What writes are part of at the moment. */
  cause: Cause = edited
  readonly #changes: Change[] = []
  readonly #limit: number
  #count = 0

  /** @param limit how many changes are kept */
  constructor(limit = 10_000) {
    this.#limit = limit
  }

  /** How many changes there have been. */
  get count(): number {
    return this.#count
  }

  /** Called for each write, from the first on. */
  readonly record = (
    list: ListName,
    before: object | undefined,
    after: object | undefined,
  ): void => {
    this.#count += 1
    this.#changes.push({ list, before, after, cause: this.cause })
    // Twice the limit before it is cut: moving all of them at each write would cost more than the writes.
    if (this.#changes.length > this.#limit * 2) this.#changes.splice(0, this.#limit)
  }

  /** Forgets the changes: other rows have taken the place of those that were changed. */
  clear(): void {
    this.#changes.length = 0
  }

  /** The changes since there were `count` of them. */
  since(count: number): readonly Change[] {
    return this.#count === count ? none : this.#changes.slice(-(this.#count - count))
  }

  /** The changes that are kept, the latest first. */
  *latest(): IterableIterator<Change> {
    for (let index = this.#changes.length - 1; index >= 0; index--) {
      yield this.#changes[index] as Change
    }
  }
}

const none: readonly Change[] = []
