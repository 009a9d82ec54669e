import { setMaxListeners } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import express from 'express'
import {
  refuseHead,
  refuseLargeHead,
  respondToClientErrors,
} from '../adapters/express/client-errors.ts'
import { createFastServer, supportsFastServer } from '../adapters/express/fast-server.ts'
import type { NodeRequest } from '../adapters/express/node-request.ts'
import { writeResponse } from '../adapters/express/run-endpoint.ts'
import type { Simulator } from '../simulator.ts'
import { reachableAddress } from '../utils/network.ts'
import { rejectUnknownFields, unexpectedValue } from '../utils/usage-error.ts'
import { bindServer, closeServer, OpenResponses } from './bind.ts'
import {
  applyLimits,
  defaultMaxHeaders,
  limitOptions,
  type ServerLimits,
  serverLimits,
} from './limits.ts'
import {
  createServerMiddleware,
  type ServerOptions,
  serverOptionNames,
  type TrustProxy,
} from './middleware.ts'
import type { TlsFiles } from './tls.ts'

/** Options of `listen`. */
export interface ListenOptions extends ServerOptions, ServerLimits {
  /** The port. By default 0, which selects any free port. */
  readonly port?: number
  /** A certificate and its key, as PEM: the server then speaks HTTPS only. */
  readonly tls?: TlsFiles
  /** Express middleware that runs before the simulator: a header, a log, a router of your own. */
  readonly use?: readonly ExpressMiddleware[]
  /** For tests: `msw` runs every handler through MSW, as in-process. */
  readonly lane?: 'direct' | 'msw'
  /** For tests: uses Node's and Express's own request and response objects, which are slower. */
  readonly stock?: boolean
}

const listenOptionNames: readonly string[] = Object.keys({
  ...serverOptionNames,
  ...serverLimits,
  port: true,
  use: true,
  stock: true,
  tls: true,
} satisfies Record<keyof ListenOptions, unknown>)

/** Picks the options of `listen` from a larger object, such as the flags of a command. */
export function pickListenOptions(source: object): ListenOptions {
  const entries = Object.entries(source).filter(([name]) => listenOptionNames.includes(name))
  return Object.fromEntries(entries)
}

/** Declared as a method, so that handlers typed with Express's own Request and Response fit. */
type ExpressMiddleware = {
  handle(request: NodeRequest, response: ServerResponse, next: (error?: unknown) => void): unknown
}['handle']

/** A server that runs until it is closed. */
export interface RunningServer {
  /** A URL that reaches the server from this machine, without a trailing slash: `http://127.0.0.1:4010` */
  readonly url: string
  /** The port, also if the operating system selected it */
  readonly port: number
  /** Closes the server and its open connections. */
  close(options?: CloseOptions): Promise<void>
}

/** Options of `RunningServer.close`. */
interface CloseOptions {
  /**
   * How long to wait for responses in flight, in milliseconds. No new connection is accepted, and requests that faults hold
   * go on. By default 0
   */
  readonly drain?: number
}

/**
 * Serves a simulator over HTTP.
 *
 * @throws UsageError for an unknown option, for a port that browsers and fetch refuse, for an invalid limit, and for an
 * option that cannot be used, such as a certificate of another key
 * @throws Error with Node's code, such as EADDRINUSE for a port that is in use
 * @example
 * const server = await listen(simulator, { port: 0 })
 * await fetch(`${server.url}/api/projects/`)
 * await server.close()
 */
export async function listen(
  simulator: Simulator,
  options: ListenOptions = {},
): Promise<RunningServer> {
  rejectUnknownFields(options, listenOptionNames, 'listen')
  const { port = 0, host = '127.0.0.1', scenarios, use = [], tls, trustProxy } = options
  const closed = new AbortController()
  // Each request that waits adds a listener.
  setMaxListeners(0, closed.signal)
  const middleware = createServerMiddleware(simulator, options, closed.signal, port)
  // Throws if the folder cannot be read.
  if (scenarios !== undefined) {
    const { listScenarioNames } = await import('../scenarios/library.ts')
    await listScenarioNames(scenarios)
  }
  const app = express().disable('x-powered-by').disable('etag')
  if (trustProxy !== undefined) setTrustProxy(app, trustProxy)
  // Loaded on demand, because TLS brings much of Node along.
  const secure = tls && (await import('./tls.ts')).openTls(tls)
  const create = secure?.createServer ?? createServer
  for (const handler of use) app.use(handler as express.RequestHandler)
  app.use(middleware as express.RequestHandler)
  const isFast = !options.stock && supportsFastServer(app)
  // The listener refuses such requests, with a body.
  const settings = { requireHostHeader: false, ...limitOptions(options), ...tls }
  const headLimits = { ...options, maxHeaders: options.maxHeaders ?? defaultMaxHeaders }
  const openResponses = new OpenResponses()
  const listener: RequestListener = (request, response) => {
    const refusal = refuseLargeHead(request, headLimits) ?? refuseHead(request)
    openResponses.add(request, response)
    if (refusal) writeResponse(response, refusal)
    else app(request, response)
  }
  const server = isFast
    ? createFastServer(app, settings, listener, create)
    : create(settings, listener)
  applyLimits(server, options)
  respondToClientErrors(server, options.maxHeaderSize)
  const bound = await bindServer(server, port, host)
  const address = reachableAddress(bound.address)
  const hostname = secure?.hostOf(address) ?? address
  const close = async ({ drain = 0 }: CloseOptions = {}): Promise<void> => {
    // Ends streams of events, and the health says so.
    closed.abort()
    if (drain > 0) {
      releaseHeldRequests(simulator)
      await openResponses.drain(server, drain)
    }
    await closeServer(server)
  }
  return {
    url: `${tls ? 'https' : 'http'}://${hostname.includes(':') ? `[${hostname}]` : hostname}:${bound.port}`,
    port: bound.port,
    close,
  }
}

/** A server that stops takes no request to continue them, so it would wait for their timeouts. */
function releaseHeldRequests(simulator: Simulator): void {
  const { sandboxes } = simulator
  const inner = sandboxes.list().map(({ id }) => sandboxes.get(id))
  for (const each of [simulator, ...inner]) each?.faults.release()
}

/** @throws UsageError for a value that Express refuses */
function setTrustProxy(app: express.Application, value: TrustProxy): void {
  try {
    app.set('trust proxy', value)
  } catch {
    const expected =
      'true, false, a number of proxies, or addresses such as loopback or 10.0.0.0/8 (the values of Express)'
    throw unexpectedValue('trust a proxy', expected, value)
  }
}
