import { type HttpHandler, http, passthrough, RequestHandler } from 'msw'
import { abortOf } from '../../utils/abort.ts'
import { isDirectResponse, toFetched } from './fetched-response.ts'
import { isFollowed, toNextRequest } from './redirect.ts'

/** How requests of `fetch` reach handlers. */
export interface FetchRoute {
  /** The handlers for the code that calls `fetch` now, or null if all its requests are sent as usual */
  handlers(): readonly unknown[] | null
  /**
   * Sends a request as usual, after the handlers have run.
   *
   * @param outcome a handler that repeats their outcome once, or null if none of them matched
   */
  send(outcome: HttpHandler | null, send: () => Promise<Response>): Promise<Response>
}

/**
 * Replaces the `fetch` of a server that listens. Handlers get the request at once: MSW 3 sends it through a mocked socket
 * and a parser of HTTP, and MSW 2 wraps and clones it. Some requests go through the server after their handlers have run:
 * those that no handler answers, and those whose handler throws, sets a cookie or encodes the body.
 *
 * @returns a function that restores `fetch`
 */
export function replaceFetch(route: FetchRoute): () => void {
  const replaced = Object.getOwnPropertyDescriptor(globalThis, 'fetch')
  const usual = globalThis.fetch
  if (!replaced) return () => {}
  const requests = new DirectRequests(route, usual)
  const value: typeof fetch = (input, init) => requests.fetch(input, init ?? {})
  Object.defineProperty(globalThis, 'fetch', { ...replaced, value })
  return () => {
    if (globalThis.fetch === value) Object.defineProperty(globalThis, 'fetch', replaced)
  }
}

type Input = Request | URL | string

class DirectRequests {
  readonly #route: FetchRoute
  readonly #usual: typeof fetch
  #count = 0

  constructor(route: FetchRoute, usual: typeof fetch) {
    this.#route = route
    this.#usual = usual
  }

  /** @param redirects how many redirects led to this request */
  async fetch(input: Input, init: RequestInit, redirects = 0): Promise<Response> {
    const usual = this.#usual
    const handlers = this.#route.handlers()
    if (handlers === null || isStream(init.body) || 'dispatcher' in init) return usual(input, init)
    const isRequest = input instanceof Request
    // The handlers read the body of the request, which may have to be sent.
    const isReadable = isRequest && input.body !== null && !input.bodyUsed && init.body == null
    const again = isReadable ? input.clone() : isRequest ? input : absolute(input)
    const request = new Request(isRequest ? input : again, init)
    if (!isDirect(request)) return usual(again, init)
    const signal = isRequest || init.signal ? request.signal : null
    signal?.throwIfAborted()
    const running = this.#outcome(handlers, request)
    const outcome = await (signal ? beforeAbort(running, signal) : running)
    if (!(outcome instanceof Response)) return this.#route.send(outcome, () => usual(again, init))
    if (!isFollowed(request, outcome)) return toFetched(outcome, request, signal, redirects > 0)
    const next = await toNextRequest(new Request(again, init), outcome, redirects)
    const response = await this.fetch(next, {}, redirects + 1)
    return Object.defineProperty(response, 'redirected', { value: true })
  }

  /** Runs handlers in order, as MSW does. @returns a plain response, a handler for any other outcome, or null for none */
  async #outcome(
    handlers: readonly unknown[],
    request: Request,
  ): Promise<Response | HttpHandler | null> {
    this.#count += 1
    const args = { request, requestId: `fetch-${this.#count}`, resolutionContext: { quiet: true } }
    let isMatched = false
    try {
      for (const handler of handlers) {
        if (!(handler instanceof RequestHandler)) continue
        const result = await handler.run(args)
        isMatched ||= result !== null
        const response = result?.response
        if (response) return isDirectResponse(response) ? response : once(() => response)
      }
    } catch (error) {
      return once(() => {
        throw error
      })
    }
    return isMatched ? once(() => passthrough()) : null
  }
}

const once = (resolve: () => Response): HttpHandler => http.all('*', resolve, { once: true })

/** @throws the reason of the signal, as soon as it aborts */
function beforeAbort<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const removeListener = abortOf(signal)(() => reject(signal.reason))
    result.then(resolve, reject).finally(removeListener)
  })
}

/** A body that can be read only once. */
function isStream(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body
}

/** In a page of a simulated browser, URLs can be relative. */
function absolute(url: URL | string): URL | string {
  return typeof location === 'undefined' || URL.canParse(url) ? url : new URL(url, location.href)
}

/** Whether `fetch` itself adds nothing to this request, and MSW does not leave it alone. */
function isDirect({ url, headers, integrity }: Request): boolean {
  return url.startsWith('http') && integrity === '' && !headers.get('accept')?.includes('msw/')
}
