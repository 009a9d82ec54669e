import type { Exchange } from '../../http/exchange.ts'

/** Hands exchanges on in another order. Keeps only those that have to wait for an earlier one. */
export class ExchangeSorter {
  readonly #order: readonly number[]
  readonly #handle: (exchange: Exchange, index: number) => void
  readonly #waiting = new Map<number, Exchange>()
  #added = 0
  #handled = 0

  /** @param order the indexes of the exchanges, in the order in which they are handed on */
  constructor(order: readonly number[], handle: (exchange: Exchange, index: number) => void) {
    this.#order = order
    this.#handle = handle
  }

  add(exchange: Exchange): void {
    this.#waiting.set(this.#added++, exchange)
    for (;;) {
      const index = this.#order[this.#handled]
      const next = index === undefined ? undefined : this.#waiting.get(index)
      if (index === undefined || next === undefined) return
      this.#waiting.delete(index)
      this.#handled += 1
      this.#handle(next, index)
    }
  }
}
