import { onTestFinished } from 'vitest'
import { type ListenOptions, listen } from '../../../src/server/listen.ts'
import type { SimulatorOptions } from '../../../src/simulator/options.ts'
import { createSimulator, type Simulator } from '../../../src/simulator/simulator.ts'
import { noon } from '../api/paths.ts'
import { Client } from './client.ts'

export interface Started extends Client {
  readonly simulator: Simulator
  /** Closes the server, if there is one, before the test ends */
  close(): Promise<void>
}

/** Starts a simulator, and a client that reaches it in this process. */
export async function start(options: SimulatorOptions = {}): Promise<Started> {
  const baseUrl = 'http://simulator.test'
  const simulator = createSimulator({ clock: noon, baseUrl, ...options })
  const exchange = simulator.fetch
  return Object.assign(new Client(baseUrl), { simulator, exchange, close: async () => {} })
}

/** Serves a simulator, and starts a client that reaches it over HTTP. Both end with the test. */
export async function serve(
  options: SimulatorOptions = {},
  serving: ListenOptions = {},
): Promise<Started> {
  const started = await startServer(options, serving)
  onTestFinished(() => started.close())
  return started
}

/** Starts a server for several tests, which change nothing. The caller closes it. */
export async function startServer(
  options: SimulatorOptions = {},
  serving: ListenOptions = {},
): Promise<Started> {
  const simulator = createSimulator({ clock: noon, ...options })
  const server = await listen(simulator, serving)
  return Object.assign(new Client(server.url), { simulator, close: server.close })
}
