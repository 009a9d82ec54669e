import type { RequestHandler } from 'msw'
import { setupServer } from 'msw/node'
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

// All simulators of a test share it. Each one has an origin of its own.
const intercepted = setupServer()
const usedNumbers = new Set<number>()
let uses = 0

/** Starts a simulator, and a client that reaches it in this process, through setupServer and fetch. Both end with the test. */
export async function start(options: SimulatorOptions = {}): Promise<Started> {
  const baseUrl = freeOrigin()
  const simulator = createSimulator({ clock: noon, baseUrl, ...options })
  useHandlers(simulator.handlers)
  return Object.assign(new Client(baseUrl), { simulator, close: async () => {} })
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

/**
 * Returns an origin that no other simulator has until the test ends. The next test gets the same ones, so that the
 * patterns of their URLs are compiled once.
 */
function freeOrigin(): string {
  let number = 1
  while (usedNumbers.has(number)) number += 1
  usedNumbers.add(number)
  onTestFinished(() => void usedNumbers.delete(number))
  return `http://simulator-${number}.test`
}

/** Installs handlers until the test ends. Two servers of MSW in one process would handle each request twice. */
function useHandlers(handlers: readonly RequestHandler[]): void {
  if (uses === 0) intercepted.listen({ onUnhandledRequest })
  uses += 1
  intercepted.use(...handlers)
  onTestFinished(() => {
    intercepted.resetHandlers()
    uses -= 1
    if (uses === 0) intercepted.close()
  })
}

/** Requests to servers of other tests of the process pass. */
function onUnhandledRequest({ url }: Request, print: { error(): void }): void {
  if (new URL(url).hostname !== '127.0.0.1') print.error()
}
