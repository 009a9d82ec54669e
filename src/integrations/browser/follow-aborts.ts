import type { HttpHandler } from 'msw'
import { http } from '../../adapters/msw-http.ts'
import { isRequest } from '../../utils/kinds.ts'

/** A request of the page that no handler has got yet. */
interface SentRequest {
  readonly method: string
  readonly url: string
  /** Aborts when the page gives the request up. Null if it cannot */
  readonly signal: AbortSignal | null
  /** What sent it, or null for `fetch` */
  readonly client: XMLHttpRequest | null
}

/** How many requests are remembered that reach no handler, such as those for files: the latest ones. */
const maxSent = 100

/**
 * Tells handlers what sent a request, and when the page gives it up, which MSW's worker does not: it follows what the page
 * sends by `fetch` and `XMLHttpRequest`.
 *
 * @returns a handler to put before the others. It gives a request its signal and its client, and answers nothing
 */
export function followAborts(): { readonly handler: HttpHandler; stop(): void } {
  const sent: SentRequest[] = []
  const add: Add = (method, url, signal, client = null) => {
    // It is never sent.
    if (signal?.aborted) return () => {}
    const request = { method: method.toUpperCase(), url: withoutFragment(url), signal, client }
    sent.push(request)
    if (sent.length > maxSent) sent.shift()
    return () => {
      const at = sent.indexOf(request)
      if (at >= 0) sent.splice(at, 1)
    }
  }
  const ends = [followFetch(add), followXhr(add)]
  const handler = http.all('*', ({ request }) => {
    const url = withoutFragment(request.url)
    const at = sent.findIndex(
      ({ method, ...entry }) => method === request.method.toUpperCase() && entry.url === url,
    )
    const [{ signal, client } = { signal: null, client: null }] = at < 0 ? [] : sent.splice(at, 1)
    // As MSW does in Node
    if (client) Object.defineProperty(request, Symbol('kRawRequest'), { value: client })
    if (signal) Object.defineProperty(request, 'signal', { value: signal })
  })
  return {
    handler,
    stop() {
      for (const end of ends) end()
    },
  }
}

/** Remembers a request. @returns a function that forgets it, for one that ended and reached no handler */
type Add = (
  method: string,
  url: string | URL,
  signal: AbortSignal | null,
  client?: XMLHttpRequest | null,
) => () => void

function followFetch(add: Add) {
  const { fetch } = globalThis
  const followed: typeof fetch = (input, init) => {
    const request = isRequest(input) ? input : null
    const { method = request?.method ?? 'GET', signal = request?.signal ?? null } = init ?? {}
    const forget = add(String(method), request?.url ?? String(input), signal)
    const response = fetch(input, init)
    response.then(forget, forget)
    return response
  }
  globalThis.fetch = followed
  return () => {
    if (globalThis.fetch === followed) globalThis.fetch = fetch
  }
}

function followXhr(add: Add) {
  const { prototype } = XMLHttpRequest
  const { open, send } = prototype
  const opened = new WeakMap<XMLHttpRequest, readonly [method: string, url: string | URL]>()
  function followedOpen(this: XMLHttpRequest, ...args: unknown[]) {
    opened.set(this, [String(args[0]), String(args[1])])
    Reflect.apply(open, this, args)
  }
  function followedSend(this: XMLHttpRequest, ...args: Parameters<typeof send>) {
    const end = new AbortController()
    for (const event of ['abort', 'timeout']) {
      this.addEventListener(event, () => end.abort(), { once: true })
    }
    const [method, url] = opened.get(this) ?? ['GET', '']
    this.addEventListener('loadend', add(method, url, end.signal, this), { once: true })
    send.apply(this, args)
  }
  Object.assign(prototype, { open: followedOpen, send: followedSend })
  // Others may have replaced them since.
  return () => {
    if (prototype.open === followedOpen) prototype.open = open
    if (prototype.send === followedSend) prototype.send = send
  }
}

function withoutFragment(url: string | URL) {
  // What cannot be parsed is never sent.
  const href = URL.canParse(url, location.href) ? new URL(url, location.href).href : ''
  return href.split('#', 1)[0] as string
}
