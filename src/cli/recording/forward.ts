import type { IncomingMessage, RequestOptions, request, ServerResponse } from 'node:http'
import type { HeaderPair } from '../../recordings/exchange.ts'
import { unreachable } from '../../scenarios/unreachable.ts'
import type { Clock } from '../../world/clock.ts'
import type { Backlog } from './backlog.ts'
import { handBack } from './hand-back.ts'
import { handedOn, hasBody, pairsOf } from './passed-headers.ts'
import type { ProxyOptions } from './proxy.ts'
import { TakenBody } from './taken-body.ts'

/** The way to the target. */
export interface Line extends Pick<ProxyOptions, 'target' | 'onLost'> {
  readonly backlog: Pick<Backlog, 'put'>
  readonly clock: Pick<Clock, 'now'>
  readonly ask: typeof request
  /** Where the target listens, and the connections to it */
  readonly place: Pick<RequestOptions, 'protocol' | 'hostname' | 'port' | 'agent'>
  /** The path of the target, without a slash at its end */
  readonly base: string
  /** What the header Host says */
  readonly host: string
  /** Makes addresses of the target lead to the proxy */
  readonly toHere: (text: string) => string
}

/** Hands one request on to the target, and its answer back. */
export function forward(asked: IncomingMessage, answer: ServerResponse, line: Line): void {
  const began = performance.now()
  const at = new Date(line.clock.now()).toISOString()
  const { method = 'GET', rawHeaders, headers } = asked
  const path = pathOf(asked.url ?? '/')
  const url = line.target + path
  const sent = new TakenBody()
  const passed = handedOn(pairsOf(rawHeaders), line.host)
  if (headers['transfer-encoding'] !== undefined) passed.push(['Transfer-Encoding', 'chunked'])
  let isTold = false
  const lose = (why: string): void => {
    if (!isTold) line.onLost({ method, url, why })
    isTold = true
  }
  const note: Note = (status, heard, body) => {
    if (isTold) return
    isTold = true
    const request = { headers: passed, body: sent.exchanged(headers['content-encoding']) }
    const ms = performance.now() - began
    const answer = { status, headers: heard, body }
    line.backlog.put({ at, ms, method, url, request, answer })
  }

  // The path as it was sent: an address would be put in order before it is asked.
  const isWhole = path === '*'
  if (isWhole) lose('it asks about the server as a whole.')
  // What is copied stands last: fields that are added to a copy are many times slower.
  const outgoing = line.ask({
    path: isWhole ? path : line.base + path,
    method,
    headers: passed.flat(),
    ...line.place,
  })
  outgoing.on('response', (given) => handBack(given, answer, { method, line, note }))
  outgoing.on('error', (error: Error & { code?: string }) => {
    if (answer.destroyed || answer.headersSent) return
    const none = unreachable(line.target, { cause: error })
    if (none) {
      lose(none.message)
      refuse(answer, none.message)
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
  if (!hasBody(headers)) {
    outgoing.end()
    return
  }
  asked.on('data', (chunk: Buffer) => sent.add(chunk))
  asked.pipe(outgoing)
}

/** Of a request to a proxy, which may name the whole address. */
function pathOf(url: string): string {
  return url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/^(?!\/|\*$)/, '/')
}

/** Tells of an exchange: status, headers and body of its answer. */
export type Note = (
  status: number,
  headers: readonly HeaderPair[],
  body: ReturnType<TakenBody['exchanged']>,
) => void

/** In the form of the service's own errors. */
function refuse(answer: ServerResponse, detail: string): void {
  const body = JSON.stringify({ type: 'server_error', code: 'bad_gateway', detail, attr: null })
  answer.writeHead(502, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  })
  answer.end(body)
}
