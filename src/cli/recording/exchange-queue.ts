import type { Exchange } from '../../http/exchange.ts'
import { wait } from '../../utils/wait.ts'

/** Told of an exchange once its answer is on its way. @returns what is left to do, while the target is at work again */
export type OnExchange = (exchange: Exchange) => () => void

/** In milliseconds: how long an exchange waits for the next request at most. */
const maxDelay = 5

/**
 * Tells of exchanges when nobody waits for it: half of the work is done while the client reads its answer, the rest
 * while the target works on the next request.
 */
export class ExchangeQueue {
  readonly #onExchange: OnExchange
  #answered: Exchange[] = []
  #begun: (() => void)[] = []
  /** The latest one, as long as it waits for the next request */
  #latest: Exchange | null = null

  constructor(onExchange: OnExchange) {
    this.#onExchange = onExchange
  }

  /** One more. What waits is done first: a crash loses no more than the last. */
  add(exchange: Exchange): void {
    this.flush()
    this.#answered.push(exchange)
    setImmediate(() => this.#begin())
    this.#latest = exchange
    void wait(maxDelay).then(() => {
      // A later one has its own time, which this one's would cut short: maybe while its request is under way.
      if (this.#latest === exchange) this.flush()
    })
  }

  /** Does all that is left to do of what was put. */
  flush(): void {
    this.#latest = null
    this.#begin()
    const begun = this.#begun
    this.#begun = []
    for (const finish of begun) finish()
  }

  #begin(): void {
    const answered = this.#answered
    this.#answered = []
    for (const exchange of answered) this.#begun.push(this.#onExchange(exchange))
  }
}
