import http, { type RequestListener, type ServerResponse } from 'node:http'
import express from 'express'
import { refuseHead, respondToClientErrors } from '../adapters/express/client-errors.ts'
import { createFastServer, supportsFastServer } from '../adapters/express/fast-server.ts'
import type { NodeRequest } from '../adapters/express/node-request.ts'
import { writeResponse } from '../adapters/express/run-endpoint.ts'
import { listScenarioNames } from '../scenarios/library.ts'
import type { Simulator } from '../simulator.ts'
import { reachableAddress } from '../utils/network.ts'
import { type OptionNames, rejectUnknownFields } from '../utils/usage-error.ts'
import { bindServer } from './bind.ts'
import { createServerMiddleware, type ServerOptions, serverOptionNames } from './middleware.ts'

/** Options of `listen`. */
export interface ListenOptions extends ServerOptions {
  /** The port. By default 0, which selects any free port. */
  readonly port?: number
  /** Express middleware that runs before the simulator: a header, a log, a router of your own. */
  readonly use?: readonly ExpressMiddleware[]
  /** For tests: `msw` runs every handler through MSW, as in-process. */
  readonly lane?: 'direct' | 'msw'
  /** For tests: uses Node's and Express's own request and response objects, which are slower. */
  readonly stock?: boolean
}

const listenOptionNames: readonly string[] = Object.keys({
  ...serverOptionNames,
  port: true,
  use: true,
  stock: true,
} satisfies OptionNames<ListenOptions>)

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
  close(): Promise<void>
}

/**
 * Serves a simulator over HTTP.
 *
 * @throws UsageError for an unknown option, for a port that browsers and fetch refuse, for a token that no HTTP header can contain, and for a folder of scenarios that cannot be read
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
  const { port = 0, host = '127.0.0.1', scenarios, use = [] } = options
  const middleware = createServerMiddleware(simulator, options)
  // Throws if the folder cannot be read.
  if (scenarios !== undefined) await listScenarioNames(scenarios)
  const app = express().disable('x-powered-by').disable('etag')
  for (const handler of use) app.use(handler as express.RequestHandler)
  app.use(middleware as express.RequestHandler)
  const isFast = !options.stock && supportsFastServer(app)
  // The listener refuses such requests, with a body.
  const settings = { requireHostHeader: false }
  const listener: RequestListener = (request, response) => {
    const refusal = refuseHead(request)
    if (refusal) writeResponse(response, refusal)
    else app(request, response)
  }
  const server = isFast
    ? createFastServer(app, settings, listener)
    : http.createServer(settings, listener)
  respondToClientErrors(server)
  const bound = await bindServer(server, port, host)
  const hostname = reachableAddress(bound.address)
  return {
    url: `http://${bound.family === 'IPv6' ? `[${hostname}]` : hostname}:${bound.port}`,
    port: bound.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
