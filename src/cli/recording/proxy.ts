import http, { type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import { urlToHttpOptions } from 'node:url'
import type { Exchange, HeaderPair } from '../../http/exchange.ts'
import { toUnreachableError } from '../../scenarios/run/target.ts'
import { bindServer } from '../../server/bind.ts'
import { describeForeignPage, isLoopback } from '../../utils/network.ts'
import { Clock } from '../../world/clock/clock.ts'
import {
  BodyCapture,
  createLinkRewriter,
  hasRequestBody,
  toClientHeaders,
  toHeaderPairs,
  toTargetHeaders,
  withContentLength,
} from './headers-and-bodies.ts'

interface ProxyOptions {
  /** The URL that requests are forwarded to, without a slash at its end */
  readonly target: string
  /** 0 selects any free port. */
  readonly port: number
  /** Called after a request was sent to the target, while the target works on it. */
  onRequest(): void
  /** Called before the client receives the end of the response. */
  onExchange(exchange: Exchange): void
  onSkipped(request: SkippedRequest): void
}

export interface SkippedRequest {
  readonly method: string
  /** The path as the client sent it. It can contain keys. */
  readonly url: string
  /** The reason, such as "the client disconnected" */
  readonly reason: string
}

interface ProxyContext extends ProxyOptions {
  /** The value of the header Host */
  readonly host: string
  /** Opens a request to the target. The path stays as it was sent; a URL object would normalize it. */
  readonly open: (method: string, path: string, headers: readonly HeaderPair[]) => ClientRequest
  /** Makes links to the target lead to the proxy. */
  readonly rewriteLinks: (text: string) => string
  readonly clock: Clock
}

/**
 * Starts a proxy on this machine. It forwards every request to a target and returns the response. It does not follow
 * redirects, and rewrites links to the target so that they lead to the proxy. It refuses pages of other sites.
 *
 * @returns the URL of the proxy, without a slash at its end; `close` closes it and its open connections at once
 * @throws Error with Node's code, such as EADDRINUSE if the port is in use
 */
export async function startProxy(
  options: ProxyOptions,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = http.createServer()
  const bound = await bindServer(server, options.port, '127.0.0.1')
  const url = `http://127.0.0.1:${bound.port}`
  const target = new URL(options.target)
  const { protocol, hostname, port } = urlToHttpOptions(target)
  const { Agent, request: openRequest } = protocol === 'https:' ? https : http
  const agent = new Agent({ keepAlive: true, scheduling: 'lifo' })
  const connection = { protocol, hostname, port, agent }
  const basePath = target.pathname.replace(/\/$/, '')
  const context: ProxyContext = {
    ...options,
    host: target.host,
    open(method, path, pairs) {
      const headers = pairs.flat()
      const fullPath = path === '*' ? path : basePath + path
      // The spread comes last: adding fields to a copy is many times slower.
      return openRequest({ path: fullPath, method, headers, ...connection })
    },
    rewriteLinks: createLinkRewriter(options.target, url),
    clock: new Clock(),
  }
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const reason = describeForeignRequest(request, target.host)
    if (reason !== null) return refuseRequest(request, response, reason, context)
    forwardRequest(request, response, context)
    setImmediate(() => options.onRequest())
  })
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
        agent.destroy()
      }),
  }
}

/**
 * Explains why a request may come from a page of another site, also of one that has made its name lead to this machine.
 * Returns null for clients, and for pages of this machine. Only clients can send the full URL or the host of the target.
 */
function describeForeignRequest(
  { url = '', headers }: IncomingMessage,
  targetHost: string,
): string | null {
  const { host = 'localhost' } = headers
  if (!/^https?:/i.test(url) && host !== targetHost && !isLoopback(host)) {
    return `the proxy requires the host localhost or 127.0.0.1, got ${host}.`
  }
  return describeForeignPage(headers, 'the proxy')
}

function refuseRequest(
  { method = 'GET', url = '/' }: IncomingMessage,
  response: ServerResponse,
  reason: string,
  { target, onSkipped }: ProxyContext,
): void {
  onSkipped({ method, url: target + url, reason })
  sendFailure(response, 403, 'authentication_error', 'permission_denied', reason)
}

/** Sends a failure of the proxy itself in the envelope of the API. */
function sendFailure(
  response: ServerResponse,
  status: number,
  type: string,
  code: string,
  detail: string,
): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ type, code, detail, attr: null }))
}

/** Forwards a request to the target and back. It is reported once: as an exchange or as skipped. */
function forwardRequest(
  request: IncomingMessage,
  response: ServerResponse,
  context: ProxyContext,
): void {
  const { target, host, clock } = context
  const startedAt = performance.now()
  // The request to a proxy can name the full URL.
  const url = request.url ?? '/'
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/^(?!\/|\*$)/, '/')
  const method = request.method ?? 'GET'
  const head = { at: new Date(clock.now()).toISOString(), method, url: target + path }
  const headers = toTargetHeaders(toHeaderPairs(request.rawHeaders), host)
  if (request.headers['transfer-encoding'] !== undefined) {
    headers.push(['Transfer-Encoding', 'chunked'])
  }
  const capture = new BodyCapture()
  let isReported = false
  const record = (received: Exchange['response']): void => {
    if (isReported) return
    isReported = true
    const body = capture.toExchangedBody(request.headers['content-encoding'])
    const ms = performance.now() - startedAt
    context.onExchange({ ms, request: { headers, body }, response: received, ...head })
  }
  const skip = (reason: string): void => {
    if (!isReported) context.onSkipped({ method, url: head.url, reason })
    isReported = true
  }
  // The target broke the connection, so the proxy breaks the connection of the client.
  const breakOff = (): void => {
    if (response.destroyed) return
    record({ status: 0, headers: [], body: null })
    response.destroy()
  }

  if (path === '*') skip('it concerns the whole server.')
  const forwarded = context.open(method, path, headers)
  forwarded.on('response', (received) => {
    received.on('error', breakOff)
    forwardResponse(received, response, method, context.rewriteLinks, record)
  })
  forwarded.on('error', (error) => {
    if (response.destroyed || response.headersSent) return
    const unreachable = toUnreachableError(target, { cause: error })
    if (!unreachable) return breakOff()
    skip(unreachable.message)
    sendFailure(response, 502, 'server_error', 'bad_gateway', unreachable.message)
  })
  response.on('close', () => {
    if (response.writableFinished) return
    skip('the client disconnected before the end of the response.')
    forwarded.destroy()
  })
  if (hasRequestBody(request.headers)) {
    request.on('data', (chunk: Buffer) => capture.add(chunk))
    request.pipe(forwarded)
  } else forwarded.end()
}

/** Forwards a response as it arrives. JSON is held back until it is complete, because its links are rewritten. */
function forwardResponse(
  received: IncomingMessage,
  response: ServerResponse,
  method: string,
  rewriteLinks: (text: string) => string,
  record: (received: Exchange['response']) => void,
): void {
  const { statusCode = 0, statusMessage, rawHeaders, headers } = received
  const receivedHeaders = toHeaderPairs(rawHeaders)
  const capture = new BodyCapture()
  const writeHead = (rewritten: string | null): void => {
    const pairs = toClientHeaders(receivedHeaders, rewriteLinks)
    const sent = rewritten === null ? pairs : withContentLength(pairs, rewritten)
    response.sendDate = false
    response.writeHead(statusCode, statusMessage, sent.flat())
  }
  let isHeldBack = method !== 'HEAD' && /\bjson\b/i.test(headers['content-type'] ?? '')
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
    record({ status: statusCode, headers: receivedHeaders, body })
    if (!isHeldBack) return void response.end()
    const text = body && 'text' in body ? body.text : null
    const linked = text && rewriteLinks(text)
    const rewritten = linked === text ? null : linked
    writeHead(rewritten)
    response.end(rewritten ?? capture.bytes)
  })
}
