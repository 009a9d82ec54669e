import { http, passthrough, type RequestHandler } from 'msw'
import { setupServer } from 'msw/node'
import { inject, onTestFinished, test } from 'vitest'
import { replaceFetch } from '../../../src/integrations/testing/direct-fetch.ts'
import type { SimulatorOptions } from '../../../src/sandbox/simulator-options.ts'
import { type ListenOptions, listen } from '../../../src/server/listen.ts'
import { createSimulator, type Simulator } from '../../../src/simulator.ts'
import { noon } from '../api/paths.ts'
import { checkExchange } from './check-contract.ts'
import { checkReasons } from './check-reasons.ts'
import { Client } from './client.ts'

export type Lane = 'in-process' | 'http' | 'http-msw'

/** The lane of this run: the transport by which requests reach the handlers. */
export const lane: Lane = inject('lane')

/** Whether `fetch` calls the handlers directly, as in `understudy-api/vitest` and `withSimulator`. */
const isDirect = inject('isDirect')

/** Whether a validator checks requests and responses, and each response has a reason: npm run contract. */
const isChecked = inject('isChecked')

/** A test that needs a socket. In-process it is skipped and counted. */
export const socketTest: typeof test = test.skipIf(lane === 'in-process') as typeof test

/** A way to serve a simulator. */
interface ServerKind {
  readonly name: string
  readonly serving: ListenOptions
}

/** The kinds of servers that `listen` can start. All of them have to behave the same. */
export const httpServers: readonly ServerKind[] = [
  { name: 'a fast server', serving: {} },
  { name: 'a stock server', serving: { stock: true } },
]

/** The kinds of servers on this lane. */
export const servers: readonly ServerKind[] =
  lane === 'in-process' ? [{ name: 'MSW', serving: {} }] : httpServers

export interface Started extends Client {
  readonly simulator: Simulator
  /** Closes the server, if there is one, before the test ends. */
  close(): Promise<void>
}

/** Validates requests and responses against the OpenAPI document. */
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

// All tests of this lane share it. Each simulator has an origin of its own. With npm run mutation, tests that start a
// server run in the same thread.
const intercepted = setupServer(http.all(/^http:\/\/127\.0\.0\.1:/, () => passthrough()))
const usedNumbers = new Set<number>()
let isListening = false

/**
 * Starts a simulator, and a client that reaches it on the lane of this run: through setupServer and fetch, or over
 * HTTP. Both end with the test.
 */
export async function start(
  options: SimulatorOptions = {},
  serving: ListenOptions = {},
): Promise<Started> {
  if (lane === 'in-process') return startIntercepted(options, serving)
  const started = await startServer(options, serving)
  if (isChecked) onTestFinished(() => checkReasons(started.simulator))
  onTestFinished(() => started.close())
  return started
}

/** Starts a server for several tests, which change nothing. The caller closes it. */
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

/**
 * Returns an origin that no other simulator has until the test ends. The next test gets the same ones, so that the
 * patterns of their URLs are compiled once.
 */
export function freeOrigin(): string {
  let number = 1
  while (usedNumbers.has(number)) number += 1
  usedNumbers.add(number)
  onTestFinished(() => void usedNumbers.delete(number))
  return `http://simulator-${number}.test`
}

/** Installs handlers until the test ends. Two servers of MSW in one process would handle each request twice. */
export function useHandlers(handlers: readonly RequestHandler[]): void {
  if (!isListening) intercepted.listen({ onUnhandledRequest: 'error' })
  if (!isListening && isDirect) callDirectly()
  isListening = true
  intercepted.use(...handlers)
  onTestFinished(() => intercepted.resetHandlers())
}

function callDirectly(): void {
  replaceFetch({
    handlers: () => intercepted.listHandlers(),
    send: (outcome, send) =>
      intercepted.boundary(() => {
        if (outcome) intercepted.use(outcome)
        return send()
      })(),
  })
}
