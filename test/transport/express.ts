import type { RequestListener } from 'node:http'
import {
  type ExpressOptions,
  type Middleware,
  toExpress,
} from '../../src/adapters/express/express.ts'
import type { SimulatorOptions } from '../../src/simulator/options.ts'
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts'
import { noon } from '../support/api/paths.ts'
import { startHttpServer } from '../support/http-server.ts'
import { Client } from '../support/transports/client.ts'

/** Creates a simulator as middleware. */
export function createMiddleware(
  options: SimulatorOptions = {},
  mounting: ExpressOptions = {},
): { readonly simulator: Simulator; readonly mock: Middleware } {
  const simulator = createSimulator({ clock: noon, ...options })
  return { simulator, mock: toExpress(simulator.handlers, mounting) }
}

/** Serves any application until the test ends. */
export async function serveApp(app: RequestListener): Promise<Client> {
  return new Client(await startHttpServer(app))
}
