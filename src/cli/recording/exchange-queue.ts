import type { Exchange } from '../../http/exchange.ts'
import { wait } from '../../utils/wait.ts'

/** What a queue hands exchanges to. */
interface ExchangeSink {
  add(exchange: Exchange): void
  /** Writes the exchanges that were added. */
  flush(): void
}

/** The longest time that an exchange waits for the next request, in milliseconds. */
const maxDelay = 5

/**
 * Records exchanges without delaying the client. An exchange is added while the client reads its response, and written
 * while the target works on the next request.
 */
export class ExchangeQueue {
  readonly #sink: ExchangeSink
  #waiting: Exchange[] = []
  /** The latest exchange, until it is written */
  #latest: Exchange | null = null

  constructor(sink: ExchangeSink) {
    this.#sink = sink
  }

  /** Adds an exchange. Earlier ones are written first, so a crash loses only the latest. */
  add(exchange: Exchange): void {
    this.flush()
    this.#waiting.push(exchange)
    setImmediate(() => this.#handOver())
    this.#latest = exchange
    void wait(maxDelay).then(() => {
      // A later exchange has its own delay. Ending that early could delay its request.
      if (this.#latest === exchange) this.flush()
    })
  }

  /** Writes all exchanges. */
  flush(): void {
    this.#latest = null
    this.#handOver()
    this.#sink.flush()
  }

  #handOver(): void {
    for (const exchange of this.#waiting.splice(0)) this.#sink.add(exchange)
  }
}
