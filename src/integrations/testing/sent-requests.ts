import { subscribe } from 'node:diagnostics_channel'
import type { ClientRequest } from 'node:http'

/** A request that a client begins to send: of `node:http`, or of a copy of undici, such as `fetch`. */
export interface SentRequest {
  readonly method: string
  readonly url: string
  /** Whether MSW 2 does not answer it. Null if it may: one of undici leaves after MSW has not answered it, or does not know it */
  readonly isMissed: boolean | null
  setHeader(name: string, value: string): void
  refuse(error: Error): void
}

/** What Node publishes of a request of undici. Version 8 has another name for what ends it with an error. */
interface UndiciRequest {
  readonly method: string
  readonly origin: string
  readonly path: string
  addHeader(name: string, value: string): unknown
  onError?(error: Error): unknown
  onResponseError?(error: Error): unknown
}

/** A request of `node:http`, with the agent that its types leave out. */
type HttpRequest = ClientRequest & { readonly agent?: object | null }

/** Calls a listener for each request of this process, in the async context of the code that sends it. */
export function followSentRequests(listener: (request: SentRequest) => void): void {
  // What a subscriber throws stops no request, and ends the process.
  const follow = (request: SentRequest) => {
    try {
      listener(request)
    } catch (error) {
      console.error(`Failed to refuse ${request.method} ${request.url}, which leaves this machine.`)
      console.error(error)
    }
  }
  subscribe('undici:request:create', (message) => {
    const { request } = message as { readonly request: UndiciRequest }
    follow({
      method: request.method,
      url: `${request.origin}${request.path}`,
      isMissed: null,
      setHeader: (name, value) => void request.addHeader(name, value),
      refuse(error) {
        if (request.onResponseError) request.onResponseError(error)
        else if (request.onError) request.onError(error)
        else throw new TypeError('This version of undici has no way to refuse a request.')
      },
    })
  })
  const seen = new WeakSet<HttpRequest>()
  const onRequest = (message: unknown) => {
    const { request } = message as { readonly request: HttpRequest }
    if (seen.has(request)) return
    seen.add(request)
    follow({
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
