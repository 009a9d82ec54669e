import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import { urlToHttpOptions } from 'node:url'
import { bindServer } from '../../listen-on.ts'
import { Clock } from '../../world/clock.ts'
import { ExchangeQueue, type OnExchange } from './backlog.ts'
import { forwardRequest } from './forward.ts'
import { createLinkRewriter } from './links.ts'

/** What a proxy does. */
export interface ProxyOptions {
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
