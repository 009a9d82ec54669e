import http from 'node:http'
import express from 'express'
import { createFastServer, supportsFastServer } from '../adapters/express/fast-server.ts'
import { listScenarioNames } from '../scenarios/library.ts'
import type { Simulator } from '../simulator.ts'
import { reachableAddress } from '../utils/network.ts'
import { bindServer } from './bind.ts'
import { createServerMiddleware, type ServerOptions } from './middleware.ts'

/** How a simulator is served. */
export interface ListenOptions extends ServerOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number
  /** Leaves Express's requests and responses, and its routing, as they are, which is slower. */
  readonly stock?: boolean
}

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
  const app = express().disable('x-powered-by').disable('etag').use(layer)
  const server =
    options.stock || !supportsFastServer(app)
      ? http.createServer(app)
      : createFastServer(app, layer)
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
