import type { KeyRow } from '../world/rows.ts'

/** How many keys are remembered; of more, the latest. */
const maxLabels = 1_000

/** The keys that a sandbox has had, by value: those that are gone are still to be hidden, and told by their labels. */
export class KeyLabels {
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
