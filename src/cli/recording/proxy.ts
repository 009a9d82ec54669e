import http, { type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import { urlToHttpOptions } from 'node:url'
import type { Exchange, HeaderPair } from '../../http/exchange.ts'
import { toUnreachableError } from '../../scenarios/run/http-target.ts'
import { bindServer } from '../../server/bind.ts'
import { Clock } from '../../world/clock/clock.ts'
import { BodyCapture } from './body-capture.ts'
import {
  createLinkRewriter,
  hasRequestBody,
  toClientHeaders,
  toHeaderPairs,
  toTargetHeaders,
  withContentLength,
} from './rewrite-headers.ts'

/** What a proxy forwards to, and what it reports. */
interface ProxyOptions {
  /** The URL that requests are forwarded to, without a slash at its end */
  readonly target: string
  /** 0 selects any free port. */
  readonly port: number
  /** Called after a request was sent to the target, while the target works on it. */
  onRequest(): void
  /** Called with each exchange, before the client receives the end of the response. */
  onExchange(exchange: Exchange): void
  /** Called with each request that cannot be recorded. */
  onSkipped(request: SkippedRequest): void
}

/** A request that cannot be recorded. */
export interface SkippedRequest {
  readonly method: string
  /** The full URL as it was sent, so it may contain keys */
  readonly url: string
  /** The reason, such as "the client disconnected" */
  readonly reason: string
}

/** A running proxy. */
export interface Proxy {
  /** The URL of the proxy, without a slash at its end */
  readonly url: string
  /** Closes the proxy and its open connections at once. */
  close(): Promise<void>
}

/**
 * Starts a proxy on this machine. It forwards every request to a target and returns the response. It does not follow
 * redirects, and rewrites links to the target so that they lead to the proxy.
 *
 * @throws Error with Node's code, such as EADDRINUSE if the port is in use
 */
export async function startProxy(options: ProxyOptions): Promise<Proxy> {
  const server = http.createServer()
  const { port } = await bindServer(server, options.port, '127.0.0.1')
  const url = `http://127.0.0.1:${port}`
  const upstream = openUpstream(options.target)
  const rewriteLinks = createLinkRewriter(options.target, url)
  const context: ProxyContext = { ...options, upstream, rewriteLinks, clock: new Clock() }
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    new ForwardedRequest(request, response, context).send()
    setImmediate(() => options.onRequest())
  })
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
        upstream.close()
      }),
  }
}

/** The target of a proxy, and its connections. */
interface Upstream {
  /** The value of the header Host */
  readonly host: string
  /** Opens a request. The path stays as it was sent; a URL object would normalize it. */
  request(method: string, path: string, headers: readonly HeaderPair[]): ClientRequest
  close(): void
}

function openUpstream(target: string): Upstream {
  const { host, pathname } = new URL(target)
  const { protocol, hostname, port } = urlToHttpOptions(new URL(target))
  const { Agent, request } = protocol === 'https:' ? https : http
  const agent = new Agent({ keepAlive: true, scheduling: 'lifo' })
  const connection = { protocol, hostname, port, agent }
  const basePath = pathname.replace(/\/$/, '')
  return {
    host,
    request(method, path, pairs) {
      const headers = pairs.flat()
      // The spread comes last: adding fields to a copy is many times slower.
      return request({
        path: path === '*' ? path : basePath + path,
        method,
        headers,
        ...connection,
      })
    },
    close: () => agent.destroy(),
  }
}

/** What the requests of a proxy share. */
interface ProxyContext extends ProxyOptions {
  readonly upstream: Upstream
  readonly clock: Clock
  /** Makes links to the target lead to the proxy. */
  readonly rewriteLinks: (text: string) => string
}

/** A request on its way to the target and back. It is reported once: as an exchange or as skipped. */
class ForwardedRequest {
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #context: ProxyContext
  readonly #head: Pick<Exchange, 'at' | 'method' | 'url'>
  readonly #path: string
  readonly #headers: HeaderPair[]
  readonly #body = new BodyCapture()
  readonly #startedAt = performance.now()
  #isReported = false

  constructor(request: IncomingMessage, response: ServerResponse, context: ProxyContext) {
    this.#request = request
    this.#response = response
    this.#context = context
    this.#path = toOriginPath(request.url ?? '/')
    this.#head = {
      at: new Date(context.clock.now()).toISOString(),
      method: request.method ?? 'GET',
      url: context.target + this.#path,
    }
    this.#headers = toTargetHeaders(toHeaderPairs(request.rawHeaders), context.upstream.host)
    if (request.headers['transfer-encoding'] !== undefined) {
      this.#headers.push(['Transfer-Encoding', 'chunked'])
    }
  }

  /** Forwards the request to the target. */
  send(): void {
    if (this.#path === '*') this.#skip('it concerns the whole server.')
    const forwarded = this.#context.upstream.request(this.#head.method, this.#path, this.#headers)
    forwarded.on('response', (received) => this.#forwardResponse(received))
    forwarded.on('error', (error) => this.#handleError(error))
    this.#response.on('close', () => {
      if (this.#response.writableFinished) return
      this.#skip('the client disconnected before the end of the response.')
      forwarded.destroy()
    })
    if (hasRequestBody(this.#request.headers)) {
      this.#request.on('data', (chunk: Buffer) => this.#body.add(chunk))
      this.#request.pipe(forwarded)
    } else forwarded.end()
  }

  /** Forwards a response as it arrives. JSON is held back until it is complete, because its links are rewritten. */
  #forwardResponse(received: IncomingMessage): void {
    const { statusCode = 0, statusMessage, rawHeaders, headers } = received
    const response = this.#response
    const receivedHeaders = toHeaderPairs(rawHeaders)
    const capture = new BodyCapture()
    const writeHead = (rewritten: string | null): void => {
      const pairs = toClientHeaders(receivedHeaders, this.#context.rewriteLinks)
      response.sendDate = false
      response.writeHead(
        statusCode,
        statusMessage,
        (rewritten === null ? pairs : withContentLength(pairs, rewritten)).flat(),
      )
    }
    let isHeldBack = this.#head.method !== 'HEAD' && /\bjson\b/i.test(headers['content-type'] ?? '')
    if (!isHeldBack) writeHead(null)
    received.on('data', (chunk: Buffer) => {
      const heldBack = isHeldBack && capture.length > 0 ? capture.bytes : null
      capture.add(chunk)
      if (isHeldBack && capture.isComplete) return
      if (isHeldBack) {
        isHeldBack = false
        writeHead(null)
        if (heldBack) response.write(heldBack)
      }
      if (response.write(chunk)) return
      received.pause()
      response.once('drain', () => received.resume())
    })
    received.on('end', () => {
      const body = capture.toExchangedBody(headers['content-encoding'])
      // Before the client receives the end: a crash then loses this exchange at most.
      this.#record({ status: statusCode, headers: receivedHeaders, body })
      if (!isHeldBack) return void response.end()
      const text = body && 'text' in body ? body.text : null
      const linked = text && this.#context.rewriteLinks(text)
      const rewritten = linked === text ? null : linked
      writeHead(rewritten)
      response.end(rewritten ?? capture.bytes)
    })
    received.on('error', () => this.#breakOff())
  }

  #handleError(error: Error): void {
    if (this.#response.destroyed || this.#response.headersSent) return
    const unreachable = toUnreachableError(this.#context.target, { cause: error })
    if (unreachable) {
      this.#skip(unreachable.message)
      sendBadGateway(this.#response, unreachable.message)
    } else this.#breakOff()
  }

  /** The target broke the connection, so the proxy breaks the connection of the client. */
  #breakOff(): void {
    if (this.#response.destroyed) return
    this.#record({ status: 0, headers: [], body: null })
    this.#response.destroy()
  }

  #record(answer: Exchange['response']): void {
    if (this.#isReported) return
    this.#isReported = true
    const body = this.#body.toExchangedBody(this.#request.headers['content-encoding'])
    const request = { headers: this.#headers, body }
    const ms = performance.now() - this.#startedAt
    this.#context.onExchange({ ms, request, response: answer, ...this.#head })
  }

  #skip(reason: string): void {
    if (this.#isReported) return
    this.#isReported = true
    const { method, url } = this.#head
    this.#context.onSkipped({ method, url, reason })
  }
}

/** Returns the path of a request to a proxy, which can name the full URL. */
function toOriginPath(url: string): string {
  return url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/^(?!\/|\*$)/, '/')
}

/** Responds in the format of the service's own errors. */
function sendBadGateway(response: ServerResponse, detail: string): void {
  response.writeHead(502, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ type: 'server_error', code: 'bad_gateway', detail, attr: null }))
}
