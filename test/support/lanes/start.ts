import type { RequestHandler } from 'msw'
import { setupServer } from 'msw/node'
import { inject, onTestFinished, test } from 'vitest'
import type { SimulatorOptions } from '../../../src/sandbox/simulator-options.ts'
import { type ListenOptions, listen } from '../../../src/server/listen.ts'
import { createSimulator, type Simulator } from '../../../src/simulator.ts'
import { noon } from '../api/paths.ts'
import { checkExchange } from './check-contract.ts'
import { Client } from './client.ts'

export type Lane = 'in-process' | 'http' | 'http-msw'

/** The lane this run is for: the way by which requests reach the handlers. */
export const lane: Lane = inject('lane')

/** Whether a validator stands between client and server: npm run contract. */
const isChecked = inject('isChecked')

/** A test of what only a socket can show. In-process it is skipped, and counted as such. */
export const socketTest: typeof test = test.skipIf(lane === 'in-process') as typeof test

/** The ways in which `listen` can serve a lane: each duty of the bridge holds for all of them. */
export const servers: readonly { readonly name: string; readonly serving: ListenOptions }[] =
  lane === 'in-process'
    ? [{ name: 'MSW', serving: {} }]
    : [
        { name: 'a server born right', serving: {} },
        { name: 'a stock server', serving: { stock: true } },
      ]

export interface Started extends Client {
  readonly simulator: Simulator
  /** Ends the server, if there is one, before the test does. */
  close(): Promise<void>
}

/** Holds what it sends, and what comes, to the document of the API. */
class CheckedClient extends Client {
  readonly #simulator: Simulator

  constructor(origin: string, simulator: Simulator) {
    super(origin)
    this.#simulator = simulator
  }

  override exchange(url: string, init: RequestInit): Promise<Response> {
    const send = () => super.exchange(url, init)
    if (init.body instanceof ReadableStream) return send()
    return checkExchange(this.#simulator, new Request(url, init), send)
  }
}

// One for all tests of this lane: each simulator has an origin of its own on it.
const intercepted = setupServer()
let simulators = 0
let isListening = false

/**
 * A simulator and a client that reaches it by the lane of this run: through setupServer and fetch, or over
 * HTTP. Both end with the test.
 */
export async function start(
  options: SimulatorOptions = {},
  serving: ListenOptions = {},
): Promise<Started> {
  if (lane === 'in-process') return startIntercepted(options, serving)
  const started = await startServer(options, serving)
  onTestFinished(() => started.close())
  return started
}

/** The same over HTTP for several tests, which change nothing: who calls it closes it. */
export async function startServer(
  options: SimulatorOptions = {},
  serving: ListenOptions = {},
): Promise<Started> {
  const simulator = createSimulator({ clock: noon, ...options })
  const server = await listen(simulator, {
    ...serving,
    lane: lane === 'http-msw' ? 'msw' : 'direct',
  })
  const client =
    isChecked && !serving.handlers
      ? new CheckedClient(server.url, simulator)
      : new Client(server.url)
  return Object.assign(client, { simulator, close: server.close })
}

function startIntercepted(options: SimulatorOptions, { handlers = [] }: ListenOptions): Started {
  const baseUrl = freeOrigin()
  const simulator = createSimulator({ clock: noon, baseUrl, ...options })
  useHandlers([...handlers, ...simulator.handlers])
  return Object.assign(new Client(baseUrl), { simulator, close: async () => {} })
}

/** An origin that nobody else has in this lane. */
export function freeOrigin(): string {
  simulators += 1
  return `http://simulator-${simulators}.test`
}

/** Has requests of this process answered until the test ends. Two servers of MSW in one process hear each request twice. */
export function useHandlers(handlers: readonly RequestHandler[]): void {
  if (!isListening) intercepted.listen({ onUnhandledRequest: 'error' })
  isListening = true
  intercepted.use(...handlers)
  onTestFinished(() => intercepted.resetHandlers())
}
