import http from 'node:http'
import { onTestFinished } from 'vitest'
import {
  type ExpressOptions,
  type Middleware,
  toExpress,
} from '../../../src/adapters/express/express.ts'
import type { SimulatorOptions } from '../../../src/sandbox/simulator-options.ts'
import { createSimulator, type Simulator } from '../../../src/simulator.ts'
import { noon } from '../api/paths.ts'
import { Client } from './client.ts'
import { lane } from './start.ts'

/** A simulator as middleware, by the lane of this run. */
export function createMiddleware(
  options: SimulatorOptions = {},
  mounting: ExpressOptions = {},
): { readonly simulator: Simulator; readonly mock: Middleware } {
  const simulator = createSimulator({ clock: noon, ...options })
  const way = lane === 'http-msw' ? 'msw' : 'direct'
  return { simulator, mock: toExpress(simulator.handlers, { lane: way, ...mounting }) }
}

/** Serves an application that is none of ours, until the test ends. */
export async function serveApp(app: http.RequestListener): Promise<Client> {
  const server = http.createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const { port } = server.address() as { port: number }
  return new Client(`http://127.0.0.1:${port}`)
}
