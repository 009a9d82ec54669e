/** A client that opens a connection sends its first request within so many ms. A browser opens some that it may never need. */
const maxLead = 1_000

/** How many responses are remembered that were sent: each new connection looks through them. */
const maxSent = 100

/** Which responses of a world its clients have: those that were sent. */
export class Deliveries {
  readonly #journal: { readonly position: number }
  /** The positions of the responses that are on their way, the first one first */
  readonly #sending = new Set<number>()
  /** When others were sent, by position. The earliest first */
  readonly #sent = new Map<number, number>()

  /** @param journal knows the position of the next response */
  constructor(journal: { readonly position: number }) {
    this.#journal = journal
  }

  /**
   * Which responses the client of a request does not have yet: it did not send the request because of them.
   *
   * @param began when the client began to send it, as `performance.now()`. By default now
   */
  arrive(began?: number): Arrival {
    const { position } = this.#journal
    if (began === undefined) return { position, unsent: [...this.#sending] }
    const since = Math.max(began, performance.now() - maxLead)
    const sent = [...this.#sent].filter(([, at]) => at >= since)
    return { position, unsent: [...this.#sending, ...sent.map(([earlier]) => earlier)] }
  }

  /** Says that a response is on its way. @returns a function to call when it has been sent */
  depart(position: number): () => void {
    this.#sending.add(position)
    return () => {
      const now = performance.now()
      this.#sending.delete(position)
      this.#sent.set(position, now)
      for (const [earliest, sent] of this.#sent) {
        if (sent >= now - maxLead && this.#sent.size <= maxSent) break
        this.#sent.delete(earliest)
      }
    }
  }
}

/** What a client did not have when it sent a request, by the positions of responses. */
export interface Arrival {
  /** That of the next response */
  readonly position: number
  /** Earlier ones that were still on their way */
  readonly unsent: readonly number[]
}

/** A request that was answered. */
interface Answered {
  readonly arrival: Arrival
  /** The position of its response */
  readonly position: number
}

/** Whether a request got its response while another one waited for its own. */
export function isDuring({ arrival, position }: Answered, their: Answered): boolean {
  const isLater = arrival.position <= their.position && their.position < position
  return isLater || arrival.unsent.includes(their.position)
}
