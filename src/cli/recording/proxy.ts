import http, {
  type IncomingMessage,
  type RequestOptions,
  type request,
  type ServerResponse,
} from 'node:http'
import https from 'node:https'
import { urlToHttpOptions } from 'node:url'
import type { HeaderPair } from '../../http/exchange.ts'
import { toUnreachableError } from '../../scenarios/run/read-response.ts'
import { bindServer } from '../../server/bind.ts'
import { escapeRegExp } from '../../utils/escape.ts'
import { Clock } from '../../world/clock/clock.ts'
import { BodyCapture } from './body-capture.ts'
import { ExchangeQueue, type OnExchange } from './exchange-queue.ts'
import { hasRequestBody, toClientHeaders, toHeaderPairs, toTargetHeaders } from './proxy-headers.ts'

/** What a proxy does. */
interface ProxyOptions {
  /** Where every request goes, without a slash at its end */
  readonly target: string
  /** 0 takes any free port */
  readonly port: number
  /** Told of each request that was answered */
  readonly onExchange: OnExchange
  /** Told of each request that cannot be recorded */
  readonly onSkipped: (lost: SkippedRequest) => void
}

/** A request that cannot be recorded. */
export interface SkippedRequest {
  readonly method: string
  /** Whole, as it was sent: keys may be in it */
  readonly url: string
  /** In a sentence */
  readonly reason: string
}

/** A proxy at work. */
export interface Proxy {
  /** Without a slash at its end */
  readonly url: string
  /** Ends at once, open connections included. */
  close(): Promise<void>
}

/**
 * Hands every request on to a target and its answer back, on this machine only. Redirects are not followed, and
 * addresses of the target lead here.
 *
 * @throws Error with Node's code, such as EADDRINUSE for a port that is taken
 */
export async function startProxy(options: ProxyOptions): Promise<Proxy> {
  const { target, port } = options
  const address = new URL(target)
  const { protocol, hostname, port: targetPort } = urlToHttpOptions(address)
  const isSecure = protocol === 'https:'
  const agent = new (isSecure ? https : http).Agent({ keepAlive: true, scheduling: 'lifo' })
  const backlog = new ExchangeQueue(options.onExchange)
  const server = http.createServer()
  const { port: taken } = await bindServer(server, port, '127.0.0.1')
  const url = `http://127.0.0.1:${taken}`
  const line = {
    ...options,
    queue: backlog,
    clock: new Clock(),
    request: (isSecure ? https : http).request,
    connection: { protocol, hostname, port: targetPort, agent },
    basePath: address.pathname.replace(/\/$/, ''),
    host: address.host,
    rewriteLinks: createLinkRewriter(target, url),
  }
  server.on('request', (asked: IncomingMessage, answer: ServerResponse) => {
    forwardRequest(asked, answer, line)
    // While the target is at work, and before any answer of it is handed on.
    setImmediate(() => backlog.flush())
  })
  return {
    url,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          backlog.flush()
          resolve()
        })
        server.closeAllConnections()
        agent.destroy()
      }),
  }
}

/** The way to the target. */
interface ProxyContext extends Pick<ProxyOptions, 'target' | 'onSkipped'> {
  readonly queue: Pick<ExchangeQueue, 'add'>
  readonly clock: Pick<Clock, 'now'>
  readonly request: typeof request
  /** Where the target listens, and the connections to it */
  readonly connection: Pick<RequestOptions, 'protocol' | 'hostname' | 'port' | 'agent'>
  /** The path of the target, without a slash at its end */
  readonly basePath: string
  /** What the header Host says */
  readonly host: string
  /** Makes addresses of the target lead to the proxy */
  readonly rewriteLinks: (text: string) => string
}

/** Hands one request on to the target, and its answer back. */
function forwardRequest(asked: IncomingMessage, answer: ServerResponse, line: ProxyContext): void {
  const began = performance.now()
  const at = new Date(line.clock.now()).toISOString()
  const { method = 'GET', rawHeaders, headers } = asked
  const path = originPath(asked.url ?? '/')
  const url = line.target + path
  const sent = new BodyCapture()
  const passed = toTargetHeaders(toHeaderPairs(rawHeaders), line.host)
  if (headers['transfer-encoding'] !== undefined) passed.push(['Transfer-Encoding', 'chunked'])
  let isTold = false
  const lose = (why: string): void => {
    if (!isTold) line.onSkipped({ method, url, reason: why })
    isTold = true
  }
  const note: OnResponse = (status, heard, body) => {
    if (isTold) return
    isTold = true
    const request = { headers: passed, body: sent.toExchangedBody(headers['content-encoding']) }
    const ms = performance.now() - began
    const answer = { status, headers: heard, body }
    line.queue.add({ at, ms, method, url, request, answer })
  }

  // The path as it was sent: an address would be put in order before it is asked.
  const isWhole = path === '*'
  if (isWhole) lose('it asks about the server as a whole.')
  // What is copied stands last: fields that are added to a copy are many times slower.
  const outgoing = line.request({
    path: isWhole ? path : line.basePath + path,
    method,
    headers: passed.flat(),
    ...line.connection,
  })
  outgoing.on('response', (given) =>
    forwardResponse(given, answer, { method, context: line, onResponse: note }),
  )
  outgoing.on('error', (error: Error & { code?: string }) => {
    if (answer.destroyed || answer.headersSent) return
    const none = toUnreachableError(line.target, { cause: error })
    if (none) {
      lose(none.message)
      sendBadGateway(answer, none.message)
      return
    }
    // The target broke the connection: so does the proxy.
    note(0, [], null)
    answer.destroy()
  })
  answer.on('close', () => {
    if (answer.writableFinished) return
    lose('its client went away before it was answered.')
    outgoing.destroy()
  })
  if (!hasRequestBody(headers)) {
    outgoing.end()
    return
  }
  asked.on('data', (chunk: Buffer) => sent.add(chunk))
  asked.pipe(outgoing)
}

/** Of a request to a proxy, which may name the whole address. */
function originPath(url: string): string {
  return url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/^(?!\/|\*$)/, '/')
}

/** Tells of an exchange: status, headers and body of its answer. */
type OnResponse = (
  status: number,
  headers: readonly HeaderPair[],
  body: ReturnType<BodyCapture['toExchangedBody']>,
) => void

/** In the form of the service's own errors. */
function sendBadGateway(answer: ServerResponse, detail: string): void {
  const body = JSON.stringify({ type: 'server_error', code: 'bad_gateway', detail, attr: null })
  answer.writeHead(502, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  })
  answer.end(body)
}

interface ForwardedRequest {
  readonly method: string
  readonly context: ProxyContext
  readonly onResponse: OnResponse
}

/** Hands an answer back as it comes. JSON is held back until all of it is there, as addresses in it shall lead here. */
function forwardResponse(
  given: IncomingMessage,
  answer: ServerResponse,
  { method, context, onResponse }: ForwardedRequest,
): void {
  const { statusCode = 0, statusMessage, rawHeaders, headers } = given
  const encoding = headers['content-encoding']
  const heard = toHeaderPairs(rawHeaders)
  const taken = new BodyCapture()
  const begin = (text: string | null): void => {
    const kept = toClientHeaders(heard, context.rewriteLinks)
    const pairs = text === null ? kept : withContentLength(kept, text)
    answer.sendDate = false
    answer.writeHead(statusCode, statusMessage, pairs.flat())
  }
  let isHeld = method !== 'HEAD' && /\bjson\b/i.test(headers['content-type'] ?? '')
  if (!isHeld) begin(null)
  given.on('data', (chunk: Buffer) => {
    const held = isHeld && taken.length > 0 ? taken.bytes : null
    taken.add(chunk)
    if (isHeld && taken.isComplete) return
    if (isHeld) {
      isHeld = false
      begin(null)
      if (held) answer.write(held)
    }
    if (!answer.write(chunk)) {
      given.pause()
      answer.once('drain', () => given.resume())
    }
  })
  given.on('end', () => {
    // Before its end is handed on, by which all that was asked earlier is written: a crash loses no more than this one.
    const body = taken.toExchangedBody(encoding)
    onResponse(statusCode, heard, body)
    if (!isHeld) answer.end()
    else {
      const text = body && 'text' in body ? body.text : null
      const shown = text === null ? null : context.rewriteLinks(text)
      const isSame = shown === text || shown === null
      begin(isSame ? null : shown)
      answer.end(isSame ? taken.bytes : shown)
    }
  })
  given.on('error', () => {
    if (answer.destroyed) return
    onResponse(0, [], null)
    answer.destroy()
  })
}

/** Headers for a text in place of what was sent. */
function withContentLength(pairs: readonly HeaderPair[], text: string): HeaderPair[] {
  const rest = pairs.filter(([name]) => !/^(?:content-length|content-encoding|etag)$/i.test(name))
  return [...rest, ['content-length', String(Buffer.byteLength(text))]]
}

/** Leads addresses of the target to the proxy, as they stand in texts: plain, and with the slashes that JSON may have. */
function createLinkRewriter(target: string, here: string): (text: string) => string {
  const [plain, escaped] = [target, target.replaceAll('/', '\\/')]
  const pattern = new RegExp(
    `(?:${escapeRegExp(plain)}|${escapeRegExp(escaped)})(?=[/?#"'\\\\<>\\s]|$)`,
    'g',
  )
  return (text) =>
    text.replace(pattern, (found) => (found === plain ? here : here.replaceAll('/', '\\/')))
}
