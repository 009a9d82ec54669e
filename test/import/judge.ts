import type { Incident } from '../../src/import/incident.ts'
import { createSimulator, type Simulator } from '../../src/index.ts'
import { rehearse } from '../../src/node.ts'
import { initOf } from '../support/transports/client.ts'

export type Request = readonly [method: string, path: string, body?: object]
/** Sends a request, and returns the body of its response. */
export type Send = (...request: Request) => Promise<Body>
/** A page, or a row. `status` is 0 for a broken connection, and `wait` how many seconds the response says to wait. */
export interface Body {
  readonly status: number
  readonly wait: number
  readonly id: number
  readonly content: string
  readonly scope: string
  readonly count: number
  readonly next: string | null
  readonly results: readonly { readonly id: number; readonly content: string }[]
}
export type Client = (send: Send, simulator: Simulator) => Promise<unknown>

export function sender(simulator: Simulator, key = 'phx_all'): Send {
  return async (method, path, body) => {
    const response = await simulator.fetch(path, initOf(method, { key, body })).catch(() => null)
    const text = (await response?.text()) ?? ''
    const [, wait = 0] = /in (\d+) second/.exec(text) ?? []
    return { ...JSON.parse(text || '{}'), status: response?.status ?? 0, wait: Number(wait) }
  }
}

/** A client that sends these requests, whatever it gets. */
export const sends =
  (...requests: readonly Request[]): Client =>
  async (send) => {
    for (const request of requests) await send(...request)
  }

/** A client that reads a list, and sends a create if the row is not there. */
export const createsIfMissing =
  (path: string, create: Request): Client =>
  async (send) => {
    const { results } = await send('GET', path)
    if (!results.some(({ content }) => content === 'Launch')) await send(...create)
  }

/** Clients that do it right, and clients that do it wrong, by what they do. */
export interface Clients {
  readonly correct: Readonly<Record<string, Client>>
  readonly wrong: Readonly<Record<string, Client>>
}

/** Each client of each case, and whether the test of the incident shall pass for it. */
export function judged<Case extends Clients>(cases: Readonly<Record<string, Case>>) {
  return Object.entries(cases).flatMap(([name, incident]) =>
    [incident.correct, incident.wrong].flatMap((clients, index) =>
      Object.entries(clients).map(([how, client]) => {
        return { name, how, client, incident, right: index === 0 }
      }),
    ),
  )
}

/** Whether the test of an incident passes for a client. */
export async function passes({ scenario, test }: Incident, client: Client): Promise<boolean> {
  const simulator = createSimulator()
  try {
    await rehearse(simulator, { ...scenario, test }, ({ key }) =>
      client(sender(simulator, key), simulator),
    )
    return true
  } catch (error) {
    // A client that throws breaks the test of this judge.
    if (Object.getPrototypeOf(error) !== Error.prototype) throw error
    return false
  }
}

/** All clients of a case share one import. */
export function once<Case extends object>(
  importCase: (incident: Case) => Promise<Incident>,
): typeof importCase {
  const known = new Map<Case, Promise<Incident>>()
  return (incident) => {
    const promise = known.get(incident) ?? importCase(incident)
    known.set(incident, promise)
    return promise
  }
}
