import http from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { bornRightServer, canBeBornRight } from './adapters/born-right.ts'
import { type LayerOptions, toLayer } from './server-layer.ts'
import type { Simulator } from './simulator.ts'

/** How a simulator is served. */
export interface ListenOptions extends LayerOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number
  /** Leaves Express's requests and responses, and its routing, as they are, which is slower. */
  readonly stock?: boolean
}

/** A simulator that is served: where, and until when. */
export interface RunningServer {
  /** `http://127.0.0.1:4010`, without a slash at its end */
  readonly url: string
  /** The port it listens on, also where any free one was asked for */
  readonly port: number
  /** Ends at once, open connections included. */
  close(): Promise<void>
}

/**
 * Serves a simulator over HTTP.
 *
 * @throws Error as Node does, with the code EADDRINUSE for a port that is taken
 * @example const server = await listen(simulator, { port: 0 })
 */
export async function listen(
  simulator: Simulator,
  options: ListenOptions = {},
): Promise<RunningServer> {
  const { port = 0, host = '127.0.0.1' } = options
  const layer = toLayer(simulator, options)
  const app = express().disable('x-powered-by').disable('etag').use(layer)
  const server =
    options.stock || !canBeBornRight(app) ? http.createServer(app) : bornRightServer(app, layer)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const { address, port: taken, family } = server.address() as AddressInfo
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`,
    port: taken,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
