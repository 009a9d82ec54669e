import type { Exchange } from '../../recordings/exchange.ts'
import { wait } from '../../timers.ts'

/** In milliseconds: how long an exchange waits for the next request at most. */
const patience = 5

/**
 * Tells of exchanges a little later than they end: a client that asks one thing after another would wait for that each
 * time, and a target takes its time anyway.
 */
export class Backlog {
  readonly #onExchange: (exchange: Exchange) => void
  #waiting: Exchange[] = []

  constructor(onExchange: (exchange: Exchange) => void) {
    this.#onExchange = onExchange
  }

  /** One more. What waits is told first: a crash loses no more than the last. */
  put(exchange: Exchange): void {
    this.tell()
    this.#waiting.push(exchange)
    void wait(patience).then(() => this.tell())
  }

  /** Tells of all that wait. */
  tell(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const exchange of waiting) this.#onExchange(exchange)
  }
}
