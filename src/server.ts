import http from 'node:http'
import type { AddressInfo } from 'node:net'
import cors from 'cors'
import express, { type Application, type Request, type Response } from 'express'
import type { RequestHandler } from 'msw'
import { bornRightServer, canBeBornRight } from './adapters/born-right.ts'
import { type ExpressOptions, type Middleware, toExpress } from './adapters/express.ts'
import { passedThrough } from './adapters/general-lane.ts'
import { writeAnswer } from './adapters/node-answer.ts'
import { controlHandlers } from './control/index.ts'
import type { Simulator } from './simulator.ts'
import type { WorldJson } from './world/world-json.ts'

export interface ListenOptions extends ExpressOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number
  /** By default 127.0.0.1: this machine only. */
  readonly host?: string
  /** MSW handlers of your own that stand before the simulator's. */
  readonly handlers?: readonly RequestHandler[]
  /** Whether pages of any origin may read answers; they may by default. */
  readonly cors?: boolean
  /** Leaves Express's requests and responses as they are, which is slower. */
  readonly stock?: boolean
  /** What the control API asks for; off this machine it stays closed without one. */
  readonly token?: string
  /** Told of paths that nothing answers. */
  readonly onNotFound?: (method: string, url: string, nearest: string) => void
}

export interface RunningServer {
  /** `http://127.0.0.1:4010`, without a slash at its end */
  readonly url: string
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
  const app = toApplication(simulator, options)
  const server =
    options.stock || !canBeBornRight(app) ? http.createServer(app) : bornRightServer(app)
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

function toApplication(simulator: Simulator, options: ListenOptions): Application {
  const app = express().disable('x-powered-by').disable('etag')
  const guard = { token: options.token, isExposed: !isLoopback(options.host ?? '127.0.0.1') }
  const generate = async (world: WorldJson) => (await import('./factories.ts')).generate(world)
  const control = controlHandlers({ simulator, generate }, guard, options.onError ?? console.error)
  // Before CORS: pages of other origins have no business there.
  app.use(toExpress(control, options))
  if (options.cors !== false) app.use(anyOrigin())
  app.use(toExpress([...(options.handlers ?? []), ...simulator.handlers], options))
  app.use(notFound(simulator, options))
  return app
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
}

/** CORS for any origin, without credentials. A preflight is answered here; a plain OPTIONS goes on to the service. */
function anyOrigin(): Middleware {
  const exposedHeaders = ['allow', 'retry-after', 'understudy-nearest', 'www-authenticate']
  const allow = cors((request, done) => {
    const isPreflight = request.headers['access-control-request-method'] !== undefined
    done(null, { exposedHeaders, preflightContinue: !isPreflight })
  })
  return (request, response, next) => {
    if (request.headers.origin === undefined) next()
    else allow(request as Request, response as Response, next)
  }
}

/** The end of the line: a path that nothing answers. */
function notFound(simulator: Simulator, { onNotFound }: ListenOptions): Middleware {
  return (request, response) => {
    const { method = 'GET', url = '/' } = request
    const [path = '/'] = url.split('?')
    const given = simulator.notFound(method, path)
    if (passedThrough in request) {
      writeAnswer(response, { ...given, status: 501 })
      return
    }
    onNotFound?.(method, url, given.headers['understudy-nearest'] ?? '')
    writeAnswer(response, given)
  }
}
