import http, { type ServerResponse } from 'node:http'
import express from 'express'
import { createFastServer, supportsFastServer } from '../adapters/express/fast-server.ts'
import type { NodeRequest } from '../adapters/express/node-request.ts'
import { listScenarioNames } from '../scenarios/library.ts'
import type { Simulator } from '../simulator.ts'
import { reachableAddress } from '../utils/network.ts'
import { bindServer } from './bind.ts'
import { createServerMiddleware, type ServerOptions } from './middleware.ts'

/** How a simulator is served. */
export interface ListenOptions extends ServerOptions {
  /** 0, the default, selects any free port. */
  readonly port?: number
  /** Express middleware that runs before the simulator: a header, a log, a router of your own. */
  readonly use?: readonly ExpressMiddleware[]
  /** Keeps Express's own request and response objects, which are slower. For tests. */
  readonly stock?: boolean
}

/** Declared as a method, so that handlers typed with Express's own Request and Response fit. */
type ExpressMiddleware = {
  handle(request: NodeRequest, response: ServerResponse, next: (error?: unknown) => void): unknown
}['handle']

/** A simulator that is served: where, and until when. */
export interface RunningServer {
  /** `http://127.0.0.1:4010`, without a slash at its end: an address to reach it at from this machine */
  readonly url: string
  /** The port it listens on, also where any free one was asked for */
  readonly port: number
  /** Ends at once, open connections included. */
  close(): Promise<void>
}

/**
 * Serves a simulator over HTTP.
 *
 * @throws UsageError for a token that nobody can send, and for a folder of scenarios that is not there
 * @throws Error with Node's code, such as EADDRINUSE for a port that is taken
 * @example const server = await listen(simulator, { port: 0 })
 */
export async function listen(
  simulator: Simulator,
  options: ListenOptions = {},
): Promise<RunningServer> {
  const { port = 0, host = '127.0.0.1' } = options
  const layer = createServerMiddleware(simulator, options)
  if (options.scenarios !== undefined) await listScenarioNames(options.scenarios)
  const app = express().disable('x-powered-by').disable('etag')
  for (const handler of options.use ?? []) app.use(handler as express.RequestHandler)
  app.use(layer as express.RequestHandler)
  const isFast = !options.stock && supportsFastServer(app)
  const server = isFast ? createFastServer(app) : http.createServer(app)
  const { address, port: taken, family } = await bindServer(server, port, host)
  const name = reachableAddress(address)
  return {
    url: `http://${family === 'IPv6' ? `[${name}]` : name}:${taken}`,
    port: taken,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
