import type { SimulatorOptions } from '../../../../src/sandbox/simulator-options.ts'
import { createSimulator, type Simulator } from '../../../../src/simulator.ts'
import { noon } from '../../../support/api/paths.ts'

/** A client of a real style, and what it does wrong. */
export interface ReportClient {
  readonly client: string
  /** The rules that it breaks, by reading it. A correct client breaks none. */
  readonly mistakes: readonly string[]
  readonly options?: SimulatorOptions
  readonly run: (service: Service) => Promise<unknown>
}

/** What responses have that the clients read. */
export interface Body {
  readonly id: number
  readonly content: string
  readonly date_marker: string
  readonly count: number
  readonly next: string | null
  readonly previous: string | null
  readonly results: readonly Body[]
  readonly detail: string
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly body: Body
}

interface Sending {
  readonly key?: string | null
  readonly headers?: Record<string, string>
  readonly signal?: AbortSignal
}

/** Sends requests to a simulator, as one client does. It rejects if the connection breaks. */
export class Service {
  readonly simulator: Simulator
  readonly #sending: Sending

  constructor(simulator: Simulator, sending: Sending = {}) {
    this.simulator = simulator
    this.#sending = sending
  }

  /** The same service with another key or more headers. */
  with(sending: Sending): Service {
    const headers = { ...this.#sending.headers, ...sending.headers }
    return new Service(this.simulator, { ...this.#sending, ...sending, headers })
  }

  get = (path: string) => this.send('GET', path)
  post = (path: string, body: unknown) => this.send('POST', path, body)
  patch = (path: string, body: unknown) => this.send('PATCH', path, body)
  delete = (path: string) => this.send('DELETE', path)
  wait = (seconds: number) => this.simulator.clock.advance({ seconds })

  async send(method: string, path: string, body?: unknown): Promise<Reply> {
    const { key = 'phx_all', headers, signal = null } = this.#sending
    const response = await this.simulator.fetch(path, {
      method,
      signal,
      headers: {
        ...(key !== null && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const parsed = text.startsWith('{') ? JSON.parse(text) : {}
    return { status: response.status, headers: response.headers, body: parsed }
  }
}

/** Runs a client, and returns the rules that the simulator says it broke, each once. */
export async function rulesBrokenBy({ options, run }: ReportClient): Promise<string[]> {
  const simulator = createSimulator({ clock: noon, ...options })
  await run(new Service(simulator))
  const inSandboxes = simulator.sandboxes.list().flatMap(({ id }) => {
    return simulator.sandboxes.get(id)?.journal.mistakes() ?? []
  })
  const mistakes = [...simulator.journal.mistakes(), ...inSandboxes]
  return [...new Set(mistakes.map(({ rule }) => rule))].sort()
}
