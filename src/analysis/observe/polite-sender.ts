import { readBytes, toUnreachableError, UnreachableError } from '../../scenarios/run/target.ts'
import { wait } from '../../utils/wait.ts'
import { type Answer, NoResponse, toAnswer, Unclear } from './requests.ts'

/** Sends a request, like `fetch`. */
type Send = (url: string, init: RequestInit) => Promise<Response>

export interface SenderOptions {
  readonly send: Send
  /** How many requests to send per second */
  readonly rate: number
  /** How many requests to send in all, retries included */
  readonly maxRequests: number
  /** Ends the observation. The sender then only sends what cleans up */
  readonly signal?: AbortSignal
  readonly wait?: (milliseconds: number) => Promise<unknown>
}

/** In seconds. The observation ends if the server wants a longer wait. */
const longestWait = 60
const maxRetries = 3
const timeout = 30_000
const interrupted = 'The observation was interrupted.'

/** Sends the requests of an observation: slowly, as few as possible, and again after the wait that a 429 names. */
export class PoliteSender {
  /** How many requests were sent, retries included. */
  count = 0
  /** The 429 responses. */
  readonly throttled: Answer[] = []
  /** How many requests are left over for cleaning up. */
  reserved = 0
  #failures = 0
  #end: Unclear | null = null
  readonly #options: SenderOptions
  readonly #wait: (milliseconds: number) => Promise<unknown>

  constructor(options: SenderOptions) {
    this.#options = options
    const { signal } = options
    // An interrupt ends a wait.
    this.#wait =
      options.wait ??
      ((milliseconds) =>
        wait(milliseconds, (listener) => {
          signal?.addEventListener('abort', listener)
          return () => signal?.removeEventListener('abort', listener)
        }))
  }

  /** Why no further request is sent. Null until then. */
  get end(): Unclear | null {
    return this.#end
  }

  /**
   * @param isCleanUp whether the request removes a row, which uses what is reserved, and also happens after the end
   * @throws NoResponse without a response, and Unclear if no further request can be sent
   */
  async send(url: string, init: RequestInit, isCleanUp = false): Promise<Answer> {
    for (let retry = 0; ; retry += 1) {
      this.#checkEnd(isCleanUp)
      if (this.count > 0) await this.#wait(1000 / this.#options.rate)
      this.#checkEnd(isCleanUp)
      const answer = await this.#sendOnce(url, init, isCleanUp, retry === 0)
      if (answer === null) continue
      if (answer.status !== 429) return answer
      this.throttled.push(answer)
      const seconds = waitOf(answer) ?? 2 ** retry
      if (seconds > longestWait || retry === maxRetries) {
        const details = seconds > longestWait ? `, and wants a wait of ${seconds} seconds` : ''
        throw this.#finish(`The server throttles after ${this.count} requests${details}.`)
      }
      this.#checkEnd(isCleanUp)
      await this.#wait(seconds * 1000)
    }
  }

  #checkEnd(isCleanUp: boolean): void {
    const { signal, maxRequests } = this.#options
    const left = maxRequests - this.count
    if (left <= 0) throw this.#finish(`All ${maxRequests} requests are used.`)
    if (isCleanUp) return
    if (this.#end) throw this.#end
    if (signal?.aborted) throw this.#finish(interrupted)
    if (left <= this.reserved) {
      const purpose = this.reserved > 0 ? ` The last ${this.reserved} clean up.` : ''
      throw this.#finish(`Nearly all of the ${maxRequests} requests are used.${purpose}`)
    }
  }

  /** @returns null for a read to send again, because its connection broke. A server can close an idle one at any time */
  async #sendOnce(
    url: string,
    init: RequestInit,
    isCleanUp: boolean,
    isFirst: boolean,
  ): Promise<Answer | null> {
    this.count += 1
    // The response to a write is waited for, because its row is to be removed.
    const canStop = !isCleanUp && init.method === 'GET'
    const stop = canStop ? this.#options.signal : undefined
    try {
      const signal = AbortSignal.any([AbortSignal.timeout(timeout), ...(stop ? [stop] : [])])
      const response = await this.#options.send(url, { ...init, redirect: 'manual', signal })
      const text = new TextDecoder().decode(await readBytes(response))
      this.#failures = 0
      return toAnswer(response, text)
    } catch (error) {
      if (stop?.aborted) throw this.#finish(interrupted)
      const isTooLarge = error instanceof UnreachableError
      const unreachable = isTooLarge ? error : toUnreachableError(url, error)
      if (unreachable && this.count === 1) throw unreachable
      if (isTooLarge) throw this.#finish(error.message)
      if (isFirst && canStop && (error as Error).name !== 'TimeoutError') return null
      this.#failures += 1
      const reason = 'The server did not respond.'
      throw this.#failures < 3 ? new NoResponse(reason) : this.#finish(reason)
    }
  }

  #finish(reason: string): Unclear {
    this.#end ??= new Unclear(reason)
    return this.#end
  }
}

/** The wait that a 429 wants, in seconds: from its header, or from its words. */
function waitOf({ headers, text }: Answer): number | undefined {
  const header = headers.get('retry-after')
  if (header !== null) {
    const elapsed = Date.parse(header) - Date.parse(headers.get('date') ?? '')
    const seconds = /^\d+$/.test(header) ? Number(header) : elapsed / 1000
    return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds))
  }
  const [, words] = /(\d{1,6}) seconds?\b/.exec(text) ?? []
  return words === undefined ? undefined : Number(words)
}
