import { setMaxListeners } from 'node:events'
import { createServer, IncomingMessage, ServerResponse } from 'node:http'
import express from 'express'
import * as z from 'zod'
import { followConnections, type NodeRequest } from '../adapters/express/node-http.ts'
import type { Simulator } from '../simulator/simulator.ts'
import { checkOptions, option, optionsSchema } from '../utils/options.ts'
import { bindServer, closeServer } from './bind.ts'
import { createServerMiddleware, type ServerOptions, serverOptions } from './middleware.ts'
import type { CloseOptions, RunningServer } from './running-server.ts'

/** Options of `listen`. */
export interface ListenOptions extends ServerOptions {
  /** The port. By default 0, which selects any free port. */
  readonly port?: number
  /** Express middleware that runs before the simulator: a header, a log, a router of your own. */
  readonly use?: readonly ExpressMiddleware[]
}

const listenSchema = optionsSchema<ListenOptions>({
  ...serverOptions,
  port: z.int().min(0).max(65_535),
  use: option.callbacks,
})

const closeSchema = optionsSchema<CloseOptions>({ timeout: option.count })

/** Picks the options of `listen` from a larger object, such as the flags of a command. */
export function pickListenOptions(source: object): ListenOptions {
  const entries = Object.entries(source).filter(([name]) => name in listenSchema.shape)
  return Object.fromEntries(entries)
}

/** Declared as a method, so that handlers typed with Express's own Request and Response fit. */
type ExpressMiddleware = {
  handle(request: NodeRequest, response: ServerResponse, next: (error?: unknown) => void): unknown
}['handle']

/**
 * Serves a simulator over HTTP.
 *
 * @throws UsageError for an unknown option, and for one that cannot be used
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
  checkOptions(listenSchema, options, 'listen')
  const { port = 0, host = '127.0.0.1', scenarios, use = [] } = options
  const closed = new AbortController()
  // Each request that waits adds a listener.
  setMaxListeners(0, closed.signal)
  const middleware = createServerMiddleware(simulator, options, closed.signal)
  // Throws if the folder cannot be read.
  if (scenarios !== undefined) {
    const { listScenarioNames } = await import('../scenarios/library.ts')
    await listScenarioNames(scenarios)
  }
  const { app, classes } = createApplication()
  for (const handler of use) app.use(handler as express.RequestHandler)
  app.use(middleware as express.RequestHandler)
  const server = createServer(classes, app)
  followConnections(server)
  const bound = await bindServer(server, port, host)
  const address = reachableAddress(bound.address)
  const close = async (closeOptions: CloseOptions = {}): Promise<void> => {
    checkOptions(closeSchema, closeOptions, 'close the server')
    // Ends streams of events.
    closed.abort()
    releaseHeldRequests(simulator)
    await closeServer(server, closeOptions.timeout)
  }
  return {
    url: `http://${address.includes(':') ? `[${address}]` : address}:${bound.port}`,
    port: bound.port,
    close,
  }
}

/** A server that stops takes no request to continue them, so it would wait for their timeouts. */
function releaseHeldRequests(simulator: Simulator): void {
  const { sandboxes } = simulator
  const inner = sandboxes.list().map(({ id }) => sandboxes.get(id))
  for (const simulated of [simulator, ...inner]) simulated?.faults.release()
}

/**
 * Creates an Express application whose requests and responses are born with the methods of Express.
 *
 * @note Express sets the prototype of each request and response to `app.request` and `app.response`. V8 is slow with
 * objects whose prototype was changed, which costs several times what Node itself takes for a request. Objects that have
 * this prototype from the start are left alone.
 */
function createApplication() {
  const app = express().disable('x-powered-by').disable('etag')
  class Request extends IncomingMessage {}
  class Response extends ServerResponse {}
  Object.setPrototypeOf(Request.prototype, app.request)
  Object.setPrototypeOf(Response.prototype, app.response)
  Object.assign(app, { request: Request.prototype, response: Response.prototype })
  return { app, classes: { IncomingMessage: Request, ServerResponse: Response } as object }
}

/** Returns an address at which this machine reaches a server that listens on the given one, which may be a wildcard. */
function reachableAddress(address: string): string {
  if (address === '0.0.0.0') return '127.0.0.1'
  return address === '::' ? '::1' : address
}
