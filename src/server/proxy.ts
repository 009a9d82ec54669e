import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import { urlToHttpOptions } from 'node:url'
import type { HeaderPair } from '../http/exchange.ts'
import { Failure } from '../http/failures.ts'
import { groupBy } from '../utils/latest-map.ts'

interface ProxyOptions {
  /** The service. Its path does not count. */
  readonly target: URL
  /** The path and the query, exactly as the service gets them. */
  readonly path: string
  /** The headers of the request. Those of the connection are left out. */
  readonly headers: readonly HeaderPair[]
  /** The value of the header Host. By default that of the request. */
  readonly host?: string
  /** Whether to add the headers X-Forwarded-… that the request lacks. */
  readonly addsForwarded?: boolean
  /** By default the body of the request. */
  readonly body?: Readable
  /**
   * Passes the response on. By default it goes to the client as it arrives. Headers of the connection are left out.
   *
   * @param writeHead writes the status, the reason phrase and the headers
   */
  readonly onResponse?: (
    received: IncomingMessage,
    headers: readonly HeaderPair[],
    writeHead: (headers: readonly HeaderPair[]) => void,
  ) => void
}

/**
 * Sends a request on to a service, and passes its response on. Redirects are not followed, and upgrades are not offered.
 *
 * @returns a promise that resolves when the response has been sent, or its client has disconnected
 * @throws Error with Node's code if the service cannot be reached, breaks the connection, or sends an invalid response
 */
export async function sendOn(
  request: IncomingMessage,
  response: ServerResponse,
  options: ProxyOptions,
): Promise<void> {
  const { target, path, headers, host, addsForwarded = false, body, onResponse } = options
  const { createProxyServer } = await import('httpxy')
  const { protocol, hostname, port } = urlToHttpOptions(target)
  const sentHeaders = joinEqualNames(withoutHopByHop(headers))
  const isChunked =
    request.headers['transfer-encoding'] !== undefined && !sentHeaders.has('content-length')
  request.headers = Object.fromEntries(sentHeaders)
  const proxy = createProxyServer({
    // The path belongs to the target, because httpxy would change that of a request.
    target: { protocol, hostname, port, pathname: path } as { protocol: string },
    ignorePath: true,
    // A service can close a kept connection while a request is sent on it, which must not be sent again.
    agent: false,
    selfHandleResponse: true,
    xfwd: addsForwarded,
    ...(host !== undefined && { headers: { host } }),
  })
  let refuse: (code: string) => void = () => {}
  proxy.on('proxyReq', (sent) => {
    if (isChunked) {
      sent.removeHeader('content-length')
      sent.setHeader('transfer-encoding', 'chunked')
    }
    refuse = (code) => {
      sent.emit('error', Object.assign(new Error('The response is not valid.'), { code }))
    }
    // No upgrade was requested. Node would leave the client waiting.
    sent.once('upgrade', (_received, socket) => {
      socket.destroy()
      refuse('HPE_UNEXPECTED_UPGRADE')
    })
  })
  proxy.on('proxyRes', (received) => {
    const { statusCode = 0, statusMessage = '' } = received
    // Node's parser accepts them, but a server cannot send them: below 100, it throws.
    if (statusCode < 200) return refuse('HPE_INVALID_STATUS')
    const phrase = writablePhrase.test(statusMessage) ? statusMessage : undefined
    const writeHead = (pairs: readonly HeaderPair[]) => {
      response.sendDate = false
      response.writeHead(statusCode, phrase, pairs.flat())
    }
    const passed = withoutHopByHop(toHeaderPairs(received.rawHeaders))
    if (onResponse) return onResponse(received, passed, writeHead)
    writeHead(passed)
    received.pipe(response)
  })
  await proxy.web(request, response, body ? { buffer: body } : {})
}

const writablePhrase = /^[\t\x20-\x7e\x80-\xff]*$/

/** The failure of a proxy whose target gave no response. */
export function badGateway(detail: string): Failure {
  return new Failure('server_error', detail, { code: 'bad_gateway', status: 502 })
}

/** Pairs up Node's raw headers: a name, its value, the next name. */
export function toHeaderPairs(raw: readonly string[]): HeaderPair[] {
  const pairs: HeaderPair[] = []
  for (let index = 0; index < raw.length; index += 2) {
    pairs.push([raw[index] as string, raw[index + 1] as string])
  }
  return pairs
}

/** Headers of a single connection (RFC 9110, 7.6.1), and `Expect`, which Node handles itself. */
const hopByHopHeaders =
  /^(connection|expect|http2-settings|keep-alive|proxy-(authenticate|connection)|te|trailer|transfer-encoding|upgrade)$/i

export function withoutHopByHop(pairs: readonly HeaderPair[]): HeaderPair[] {
  const named = pairs
    .filter(([name]) => /^connection$/i.test(name))
    .flatMap(([, value]) => value.split(',').map((header) => header.trim().toLowerCase()))
  return pairs.filter(
    ([name]) => !hopByHopHeaders.test(name) && !named.includes(name.toLowerCase()),
  )
}

/** The values of each header by its lower-case name: a list if there are several. */
function joinEqualNames(pairs: readonly HeaderPair[]) {
  const groups = groupBy(pairs, ([name]) => name.toLowerCase())
  const joined = Array.from(groups, ([name, equal]) => {
    const [first = '', ...others] = equal.map(([, value]) => value)
    return [name, others.length === 0 ? first : [first, ...others]] as const
  })
  return new Map(joined)
}
