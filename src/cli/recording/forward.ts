import type { IncomingMessage, RequestOptions, request, ServerResponse } from 'node:http'
import type { HeaderPair } from '../../recordings/exchange.ts'
import { toUnreachableError } from '../../scenarios/unreachable.ts'
import type { Clock } from '../../world/clock.ts'
import type { ExchangeQueue } from './backlog.ts'
import { forwardResponse } from './hand-back.ts'
import { hasRequestBody, toHeaderPairs, toTargetHeaders } from './passed-headers.ts'
import type { ProxyOptions } from './proxy.ts'
import { BodyCapture } from './taken-body.ts'

/** The way to the target. */
export interface ProxyContext extends Pick<ProxyOptions, 'target' | 'onSkipped'> {
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
export function forwardRequest(
  asked: IncomingMessage,
  answer: ServerResponse,
  line: ProxyContext,
): void {
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
export type OnResponse = (
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
