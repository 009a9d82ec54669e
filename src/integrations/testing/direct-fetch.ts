import { type HttpHandler, http, passthrough, RequestHandler } from 'msw'
import { isPassthrough } from '../../adapters/fetch.ts'
import { bodilessStatuses, connectionReset } from '../../http/messages.ts'
import { abortOf } from '../../utils/wait.ts'

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

/** Whether nothing has to be done for a response of a handler but to return it, to follow it or to fail. */
function isDirectResponse(response: Response): boolean {
  const { status, headers, body, type } = response
  if (type === 'error') return true
  const hasEffects = headers.has('set-cookie') || headers.has('content-encoding')
  return status >= 200 && body?.locked !== true && !hasEffects && !isPassthrough(response)
}

/**
 * Returns the response of a handler as its client sees it.
 *
 * @param signal aborts it, or null
 * @throws TypeError for a response that is a network error
 */
function toFetched(
  response: Response,
  request: Request,
  signal: AbortSignal | null,
  redirected: boolean,
): Response {
  if (response.type === 'error') throw fetchFailed(connectionReset())
  const { body, status } = response
  const [url = ''] = request.url.split('#')
  const facts = valuesOf({ url, type: 'basic', redirected })
  const isEmpty = request.method === 'HEAD' || bodilessStatuses.includes(status)
  if (isEmpty) return withFacts(new Response(null, response), facts)
  if (body === null) return withFacts(new Response(new Uint8Array(), response), facts)
  if (signal === null) return withFacts(response, facts)
  return withFacts(new Response(untilAborted(body, signal), response), facts)
}

/** Only `fetch` itself creates such responses. */
function withFacts(response: Response, facts: PropertyDescriptorMap): Response {
  const { headers } = response
  Object.defineProperties(headers, immutable)
  const clone = () => withFacts(Response.prototype.clone.call(response), facts)
  return Object.defineProperties(response, { ...facts, ...valuesOf({ clone }) })
}

/** A handler can respond with what it fetched itself, so that these properties are defined again. */
function valuesOf(values: object): PropertyDescriptorMap {
  const entries = Object.entries(values)
  return Object.fromEntries(entries.map(([name, value]) => [name, { value, configurable: true }]))
}

const refuse = (): never => {
  throw new TypeError('immutable')
}
const immutable = valuesOf({ append: refuse, delete: refuse, set: refuse })

/** The reason of the signal is the error of a body that is not read yet. */
function untilAborted(body: ReadableStream<Uint8Array>, signal: AbortSignal): BodyInit {
  const reader = body.getReader()
  let stop = (): void => {}
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const abort = (): void => {
          controller.error(signal.reason)
          reader.cancel(signal.reason).catch(() => {})
        }
        stop = abortOf(signal)(abort)
      },
      async pull(controller) {
        const { done, value } = await reader.read()
        if (signal.aborted) return
        if (!done) return controller.enqueue(value)
        stop()
        controller.close()
      },
      cancel(reason) {
        stop()
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}

/** The error of `fetch` for a request without a response. */
function fetchFailed(cause: unknown): TypeError {
  return new TypeError('fetch failed', { cause })
}

const redirectStatuses = [301, 302, 303, 307, 308]
const headersOfBody = [
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-type',
]
const headersOfOrigin = ['authorization', 'cookie', 'host', 'proxy-authorization']
const maxRedirects = 20

/** Whether `fetch` follows a response, or fails because of it. */
function isFollowed({ redirect }: Request, { status, headers }: Response): boolean {
  return redirectStatuses.includes(status) && headers.has('location') && redirect !== 'manual'
}

/**
 * The request that a redirect leads to, by the rules of `fetch`.
 *
 * @param request the request that was redirected. Its body must not have been read
 * @param count how many redirects were followed before
 */
async function toNextRequest(
  request: Request,
  response: Response,
  count: number,
): Promise<Request> {
  const { method, redirect, signal, credentials } = request
  const { status } = response
  if (redirect === 'error') throw fetchFailed(new Error('unexpected redirect'))
  if (count >= maxRedirects) throw fetchFailed(new Error('redirect count exceeded'))
  const location = response.headers.get('location') ?? ''
  if (!URL.canParse(location, request.url)) throw fetchFailed(new Error('Invalid URL'))
  const url = new URL(location, request.url)
  if (!url.protocol.startsWith('http')) {
    throw fetchFailed(new Error('URL scheme must be a HTTP(S) scheme'))
  }
  const isGet =
    status === 303
      ? !['GET', 'HEAD'].includes(method)
      : method === 'POST' && [301, 302].includes(status)
  const isSameOrigin = url.origin === new URL(request.url).origin
  const left = [...(isGet ? headersOfBody : []), ...(isSameOrigin ? [] : headersOfOrigin)]
  const headers = [...request.headers].filter(([name]) => !left.includes(name))
  const body = isGet || request.body === null ? null : await request.arrayBuffer()
  const init = { headers, body, redirect, signal, credentials }
  return new Request(url, { ...init, method: isGet ? 'GET' : method })
}
