import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe } from 'node:diagnostics_channel'

/** A request that a client begins to send: of `node:http`, or of a copy of undici, such as `fetch`. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  /** Whether MSW 2 does not answer it. Null if it may: one of undici leaves after MSW has not answered it, or does not know it */
  readonly isMissed: boolean | null
  setHeader(name: string, value: string): void
  refuse(error: Error): void
}

/** What Node publishes of a request of undici. */
interface UndiciRequest {
  readonly method: string
  readonly origin: string
  readonly path: string
  addHeader(name: string, value: string): unknown
  onError(error: Error): unknown
}

/** The part of a `ClientRequest` that is used. */
interface HttpRequest {
  readonly method: string
  readonly protocol: string
  readonly host: string
  readonly path: string
  readonly headersSent: boolean
  readonly agent?: object | null
  getHeader(name: string): unknown
  setHeader(name: string, value: string): unknown
  destroy(error: Error): unknown
}

/** Calls a listener for each request of this process, in the async context of the code that sends it. */
export function followSentRequests(listener: (request: SentRequest) => void): void {
  subscribe('undici:request:create', (message) => {
    const { request } = message as { readonly request: UndiciRequest }
    listener({
      method: request.method,
      url: `${request.origin}${request.path}`,
      isMissed: null,
      setHeader: (name, value) => void request.addHeader(name, value),
      refuse: (error) => void request.onError(error),
    })
  })
  const seen = new WeakSet<HttpRequest>()
  const onRequest = (message: unknown): void => {
    const { request } = message as { readonly request: HttpRequest }
    if (seen.has(request)) return
    seen.add(request)
    listener({
      method: request.method,
      url: `${request.protocol}//${request.getHeader('host') ?? request.host}${request.path}`,
      // MSW 2 gives each request an agent.
      isMissed: !('onRequest' in (request.agent ?? {})),
      setHeader(name, value) {
        if (!request.headersSent) request.setHeader(name, value)
      },
      refuse: (error) => void request.destroy(error),
    })
  }
  // Before Node 22.12 there is only the second one, which is published later.
  subscribe('http.client.request.created', onRequest)
  subscribe('http.client.request.start', onRequest)
}

/** A header that a request has between its client and MSW, which both are in this process. */
const senderHeader = 'understudy-sender'

type RunInContext = <T>(run: () => T) => T

/**
 * The requests that were sent, and that MSW did not get yet. MSW 3 reads them from sockets, which clients keep for the code
 * that sends the next request: so each says by a header in which async context it was sent.
 */
export class RequestsOnTheirWay<Context> {
  #lastNumber = 0
  readonly #senders = new Map<string, { context: Context; runInContext: RunInContext }>()

  add(request: SentRequest, context: Context): void {
    this.#lastNumber += 1
    const id = String(this.#lastNumber)
    this.#senders.set(id, { context, runInContext: AsyncLocalStorage.snapshot() })
    request.setHeader(senderHeader, id)
  }

  /** Whether MSW did not get a request that says who sent it. */
  has({ headers }: Request): boolean {
    return headers.has(senderHeader)
  }

  /** Ends the way of a request. @returns what runs a function where it was sent; undefined if that is not known */
  take({ headers }: Request): RunInContext | undefined {
    const id = headers.get(senderHeader)
    if (id === null) return undefined
    headers.delete(senderHeader)
    const sender = this.#senders.get(id)
    this.#senders.delete(id)
    return sender?.runInContext
  }

  isOnItsWay(context: Context): boolean {
    return [...this.#senders.values()].some((sender) => sender.context === context)
  }

  /** Forgets requests that never came, such as those of a client that is not intercepted. */
  forget(context: Context): void {
    for (const [id, sender] of this.#senders)
      if (sender.context === context) this.#senders.delete(id)
  }
}
