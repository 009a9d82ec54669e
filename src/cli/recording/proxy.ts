import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  bytesToExchangedBody,
  type Exchange,
  type ExchangedBody,
  type HeaderPair,
} from '../../http/exchange.ts'
import { Failure } from '../../http/failures.ts'
import { toUnreachableError } from '../../scenarios/run/target.ts'
import { bindServer, closeServer } from '../../server/bind.ts'
import { sendFailure, sendOn, toHeaderPairs, withoutHopByHop } from '../../server/proxy.ts'
import { escapeRegExp } from '../../utils/escape.ts'
import { describeForeignPage, isLoopback } from '../../utils/network.ts'
import { Clock } from '../../world/clock/clock.ts'
import { decodeContent } from './decode-content.ts'

interface ProxyOptions {
  /** The URL that requests are forwarded to, without a slash at its end */
  readonly target: string
  /** 0 selects any free port. */
  readonly port: number
  /** Called before the client receives the end of the response. */
  onExchange(exchange: Exchange): void
  onSkipped(request: SkippedRequest): void
}

interface SkippedRequest {
  readonly method: string
  /** The path as the client sent it. It can contain keys. */
  readonly url: string
  /** The reason, such as "the client disconnected" */
  readonly reason: string
}

interface ProxyContext extends ProxyOptions {
  readonly targetUrl: URL
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
  const context: ProxyContext = {
    ...options,
    targetUrl: new URL(options.target),
    rewriteLinks: createLinkRewriter(options.target, url),
    clock: new Clock(),
  }
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { method = 'GET', url: path = '/' } = request
    const reason = describeForeignRequest(request, context.targetUrl.host)
    if (reason !== null) {
      options.onSkipped({ method, url: options.target + path, reason })
      return sendFailure(response, new Failure('permission_denied', reason))
    }
    forwardRequest(request, response, context)
  })
  return { url, close: () => closeServer(server) }
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

/** Forwards a request to the target and back. It is reported once: as an exchange or as skipped. */
function forwardRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { target, targetUrl, clock, rewriteLinks, ...context }: ProxyContext,
): void {
  const startedAt = performance.now()
  // The request to a proxy can name the full URL.
  const url = request.url ?? '/'
  const path = url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/^(?!\/|\*$)/, '/')
  const method = request.method ?? 'GET'
  const head = { at: new Date(clock.now()).toISOString(), method, url: target + path }
  const headers = toTargetHeaders(toHeaderPairs(request.rawHeaders), targetUrl.host)
  const { 'content-encoding': encoding } = request.headers
  const sent = new BodyCapture()
  let isReported = false
  const record = (received: Exchange['response']): void => {
    if (isReported) return
    isReported = true
    const ms = performance.now() - startedAt
    const body = sent.toExchangedBody(encoding)
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
  response.on('close', () => {
    if (!response.writableFinished) skip('the client disconnected before the end of the response.')
  })
  sendOn(request, response, {
    target: targetUrl,
    path: path === '*' ? path : targetUrl.pathname.replace(/\/$/, '') + path,
    headers,
    body: request.pipe(
      new Transform({
        transform(chunk: Buffer, _encoding, done) {
          sent.add(chunk)
          done(null, chunk)
        },
      }),
    ),
    onResponse(received, passedHeaders, writeHead) {
      received.on('error', breakOff)
      const { statusCode: status = 0, rawHeaders } = received
      const clientHeaders = passedHeaders.map(([name, value]): HeaderPair => {
        const isLink = /^(?:content-location|link|location)$/i.test(name)
        return [name, isLink ? rewriteLinks(value) : value]
      })
      /** JSON is held back until it is complete, because its links are rewritten. All else passes as it arrives. */
      const passBody = async function* (): AsyncGenerator<Buffer> {
        const capture = new BodyCapture()
        const isJson = method !== 'HEAD' && /\bjson\b/i.test(received.headers['content-type'] ?? '')
        let heldBack: Buffer[] | null = isJson ? [] : null
        if (!heldBack) writeHead(clientHeaders)
        for await (const chunk of received) {
          capture.add(chunk)
          if (heldBack && capture.isComplete) heldBack.push(chunk)
          else {
            if (heldBack) {
              writeHead(clientHeaders)
              yield* heldBack
              heldBack = null
            }
            yield chunk
          }
        }
        const body = capture.toExchangedBody(received.headers['content-encoding'])
        // Before the client receives the end, because it may stop the recording then.
        record({ status, headers: toHeaderPairs(rawHeaders), body })
        if (!heldBack) return
        const text = body && 'text' in body ? body.text : ''
        const rewritten = rewriteLinks(text)
        if (rewritten === text) {
          writeHead(clientHeaders)
          yield* heldBack
        } else {
          writeHead(withContentLength(clientHeaders, rewritten))
          yield Buffer.from(rewritten)
        }
      }
      // If one side breaks the connection, the other one learns it.
      pipeline(passBody, response).catch(() => {})
    },
  }).catch((error) => {
    if (response.destroyed || response.headersSent) return
    const unreachable = toUnreachableError(target, { cause: error })
    if (!unreachable) return breakOff()
    skip(unreachable.message)
    sendFailure(response, new Failure('server_error', unreachable.message, { code: 'bad_gateway' }))
  })
}

/** The headers of a request as the target receives them: with its own host, and only encodings that can be decoded. */
function toTargetHeaders(pairs: readonly HeaderPair[], host: string): HeaderPair[] {
  const headers = withoutHopByHop(pairs)
    .filter(([name]) => !/^(?:host|proxy-authorization)$/i.test(name))
    .map(([name, value]): HeaderPair => {
      return [name, /^accept-encoding$/i.test(name) ? limitEncodings(value) : value]
    })
  return [['Host', host], ...headers]
}

/** Removes encodings that cannot be decoded, because such a response could not be recorded. */
function limitEncodings(accepted: string): string {
  const supported = accepted
    .split(',')
    .map((encoding) => encoding.trim())
    .filter((encoding) => /^(gzip|deflate|br|identity|\*)\s*(;|$)/i.test(encoding))
  return supported.length === 0 ? 'identity' : supported.join(', ')
}

/** Replaces the headers that describe a body by those of an uncompressed text. */
function withContentLength(pairs: readonly HeaderPair[], text: string): HeaderPair[] {
  const rest = pairs.filter(([name]) => !/^(?:content-length|content-encoding|etag)$/i.test(name))
  return [...rest, ['content-length', String(Buffer.byteLength(text))]]
}

/** Replaces the URL of a target by that of the proxy, also in JSON, where slashes may be escaped. */
function createLinkRewriter(target: string, proxyUrl: string): (text: string) => string {
  const escapedTarget = target.replaceAll('/', '\\/')
  const pattern = new RegExp(
    `(?:${escapeRegExp(target)}|${escapeRegExp(escapedTarget)})(?=[/?#"'\\\\<>\\s]|$)`,
    'g',
  )
  return (text) =>
    text.replace(pattern, (match) =>
      match === target ? proxyUrl : proxyUrl.replaceAll('/', '\\/'),
    )
}

const maxCapturedBytes = 8 * 1024 * 1024

/** Collects a body while it passes through the proxy. A body that is too large is only counted. */
class BodyCapture {
  #chunks: Buffer[] = []
  #length = 0

  get isComplete(): boolean {
    return this.#length <= maxCapturedBytes
  }

  add(chunk: Buffer): void {
    this.#length += chunk.length
    if (this.isComplete) this.#chunks.push(chunk)
    else this.#chunks = []
  }

  /** Returns the body as it is recorded: decoded text, base64, or its length if it is too large. */
  toExchangedBody(encoding: string | undefined): ExchangedBody | null {
    if (this.#length === 0) return null
    if (!this.isComplete) return { omitted: this.#length }
    const bytes = Buffer.concat(this.#chunks)
    const decoded = decodeContent(bytes, encoding)
    if (decoded === null) return { base64: bytes.toString('base64') }
    return decoded.length === 0 ? null : bytesToExchangedBody(decoded)
  }
}
