import {
  isTooLong,
  readBytes,
  sendAfterWaits,
  toUnreachableError,
} from '../scenarios/run/sender.ts'
import { type ConnectionFailure, UnreachableError } from '../utils/network.ts'
import { formatCount } from '../utils/text.ts'
import { abortOf, wait } from '../utils/wait.ts'
import type { Unseen } from './comparison.ts'

export interface SenderOptions {
  readonly send: (url: string, init: RequestInit) => Promise<Response>
  /** How many requests to send per second */
  readonly rate: number
  /** How many requests to send, repeated ones included. Those that remove own rows come on top */
  readonly maxRequests: number
  /** Ends the comparison. Only requests that remove own rows are sent after it */
  readonly signal?: AbortSignal
  readonly wait?: (milliseconds: number) => Promise<unknown>
}

export interface Received {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Why no further request is sent, or why one got no response. It is not an Error, because servers are expected to do so. */
export class Ended implements Unseen {
  readonly why: 'ended' | 'no_response'
  readonly got: string | null
  /** As sentences */
  readonly reason: string

  /** @param failure why a request got no response. Undefined if none was sent */
  constructor(reason: string, failure?: string) {
    this.why = failure === undefined ? 'ended' : 'no_response'
    this.got = failure ?? null
    this.reason = reason
  }
}

const maxFailures = 3
const timeout = 30_000

/** Why a request got no response, and where to look. */
function describeFailure(error: unknown) {
  const { name, message, cause } = error as Error & { readonly cause?: ConnectionFailure }
  const code = cause?.code ?? cause?.errors?.[0]?.code ?? message
  const what =
    name === 'TimeoutError'
      ? `no response came within ${timeout / 1000} seconds`
      : `the request failed (${code})`
  return `${what}. Look into the log of the server, or of a proxy in front of it.`
}

/** Sends requests slowly, and again after the wait that a 429 asks for. */
export class ProbeSender {
  /** How many requests were sent, repeated ones included. */
  count = 0
  readonly throttled: Received[] = []
  #failures = 0
  #end: Ended | null = null
  readonly #options: SenderOptions
  readonly #wait: (milliseconds: number) => Promise<unknown>

  constructor(options: SenderOptions) {
    this.#options = options
    const { signal } = options
    // An interrupt ends a wait, but none of those after it: own rows are removed slowly, too.
    const onAbort = () => (signal && !signal.aborted ? abortOf(signal) : undefined)
    this.#wait = options.wait ?? ((milliseconds) => wait(milliseconds, onAbort()))
  }

  /** Why no further request is sent, as a sentence. Null until then */
  get end(): string | null {
    return this.#end?.reason ?? null
  }

  /** Sends no further request but those that remove rows. */
  finish(reason: string): Ended {
    this.#end ??= new Ended(reason)
    return this.#end
  }

  /**
   * @param isRemoval whether the request removes an own row, which also happens after the end
   * @throws Ended without a response, and if no further request may be sent
   * @throws UnreachableError if the first request reaches no server
   */
  async send(url: string, init: RequestInit, isRemoval = false): Promise<Received> {
    let isFirst = true
    const send = async (): Promise<Received> => {
      this.#checkEnd(isRemoval)
      if (this.count > 0) await this.#wait(1000 / this.#options.rate)
      this.#checkEnd(isRemoval)
      const received = await this.#sendOnce(url, init, isRemoval, isFirst)
      isFirst = false
      if (received?.status === 429) this.throttled.push(received)
      return received ?? send()
    }
    const { response, refusedWait } = await sendAfterWaits(send, (seconds) =>
      this.#wait(seconds * 1000),
    )
    if (refusedWait === null) return response
    const wanted = isTooLong(refusedWait) ? `, and asks for a wait of ${refusedWait} seconds` : ''
    const sent = formatCount(this.count, 'request')
    throw this.finish(`The server throttles after ${sent}${wanted}.`)
  }

  #checkEnd(isRemoval: boolean) {
    const { signal, maxRequests } = this.#options
    if (isRemoval) {
      if (this.#failures >= 2 * maxFailures) throw this.#end
      return
    }
    if (this.#end) throw this.#end
    if (signal?.aborted) throw this.finish('The comparison was interrupted.')
    if (this.count >= maxRequests) {
      throw this.finish(`The ${maxRequests} requests of --max-requests are used up.`)
    }
  }

  /** @returns null for a read to send again, because its connection broke: a server can close an idle one at any time */
  async #sendOnce(
    url: string,
    init: RequestInit,
    isRemoval: boolean,
    isFirst: boolean,
  ): Promise<Received | null> {
    this.count += 1
    // The response to a write is waited for, because its row is to be removed.
    const canStop = !isRemoval && init.method === 'GET'
    const stop = canStop ? this.#options.signal : undefined
    try {
      const signal = AbortSignal.any([AbortSignal.timeout(timeout), ...(stop ? [stop] : [])])
      const response = await this.#options.send(url, { ...init, redirect: 'manual', signal })
      const text = new TextDecoder().decode(await readBytes(response))
      this.#failures = 0
      return { status: response.status, headers: response.headers, text }
    } catch (error) {
      if (stop?.aborted) throw this.finish('The comparison was interrupted.')
      if (error instanceof UnreachableError) throw this.finish(error.message)
      const unreachable = toUnreachableError(url, error)
      if (unreachable && this.count === 1) throw unreachable
      if (isFirst && canStop && (error as Error).name !== 'TimeoutError') return null
      this.#failures += 1
      const got = describeFailure(error)
      const reason = `The server did not respond: ${got}`
      if (this.#failures >= maxFailures) this.finish(reason)
      throw new Ended(reason, got)
    }
  }
}
