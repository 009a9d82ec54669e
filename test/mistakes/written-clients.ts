import { onTestFinished, vi } from 'vitest'
import {
  createSimulator,
  type OperationId,
  type Simulator,
  type SimulatorOptions,
} from '../../src/index.ts'
import type { ClientMistake } from '../../src/mistakes/rule.ts'
import type { FaultEffect } from '../../src/simulator/faults/fault.ts'
import { noon } from '../support/api/paths.ts'

interface Reply {
  /** Null if the client got no response, or a broken one. */
  readonly status: number | null
  // biome-ignore lint/suspicious/noExplicitAny: a client reads what it gets.
  readonly body: any
}

/** A hand-written client of the API. It sends what its author wrote, and never throws. */
export class WrittenClient {
  readonly #simulator: Simulator
  readonly #key: string

  constructor(simulator: Simulator, key = 'phx_all') {
    this.#simulator = simulator
    this.#key = key
  }

  get(path: string): Promise<Reply> {
    return this.send('GET', path)
  }

  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Reply> {
    return this.send('POST', path, body, headers)
  }

  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<Reply> {
    return this.send('PATCH', path, body, headers)
  }

  delete(path: string): Promise<Reply> {
    return this.send('DELETE', path)
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    others?: Record<string, string>,
  ): Promise<Reply> {
    const headers = {
      ...others,
      authorization: `Bearer ${this.#key}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const target = path.startsWith('http') ? path.replace(/^https?:\/\/[^/]+/, '') : path
    try {
      const response = await this.#simulator.fetch(target, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      return { status: response.status, body: text === '' ? null : JSON.parse(text) }
    } catch {
      return { status: null, body: null }
    }
  }

  /** Reads a list by `next`, from a path on. */
  async all(path: string): Promise<Reply['body'][]> {
    const rows = []
    for (let next: string | null = path; next; ) {
      const { body }: Reply = await this.get(next)
      rows.push(...(body?.results ?? []))
      next = body?.next ?? null
    }
    return rows
  }
}

/** What surrounds a client: the faults of the network, and other people. */
export interface Scene {
  readonly simulator: Simulator
  readonly client: WrittenClient
  /** Another person with a key of their own. */
  readonly colleague: WrittenClient
  /** Adds annotations to project 1 that the client did not create. */
  seed(count: number): void
  /** The next request of this operation is carried out, and its response is lost. */
  loseResponse(operation: OperationId): void
  /** The next request of this operation does not arrive. */
  loseRequest(operation: OperationId): void
  /** The next requests of this operation get an error, and are not carried out. */
  refuse(operation: OperationId, effect: FaultEffect, times?: number): void
  /** Time passes. */
  wait(seconds: number): void
}

/** By what they do. */
export type Clients = Readonly<Record<string, (scene: Scene) => Promise<unknown>>>

/** Lets a client run. @param rows how many more there are @returns the mistakes that were found */
export async function mistakesOf(
  run: Clients[string],
  options: SimulatorOptions = {},
  rows = 0,
): Promise<readonly ClientMistake[]> {
  // The real clock: a rule about pauses is silent on a frozen one. A busy machine must not make pauses.
  vi.useFakeTimers({ now: new Date(noon), toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const simulator = createSimulator(options)
  const client = new WrittenClient(simulator)
  const scene: Scene = {
    simulator,
    client,
    colleague: new WrittenClient(simulator, 'phx_annotations'),
    seed: (count) => {
      const rows = Array.from({ length: count }, (_, index) => ({
        content: `Release ${index}`,
        scope: 'project' as const,
        date_marker: new Date(Date.UTC(2023, 0, 1 + index)).toISOString(),
      }))
      simulator.world.add({ annotations: rows })
    },
    loseResponse: (operation) => {
      const when = { times: 1 }
      simulator.faults.add({ operation, when, phase: 'after-commit', effect: { drop: true } })
    },
    loseRequest: (operation) => {
      simulator.faults.add({ operation, when: { times: 1 }, effect: { drop: true } })
    },
    refuse: (operation, effect, times = 1) => {
      simulator.faults.add({ operation, when: { times }, effect })
    },
    wait: (seconds) => simulator.clock.advance({ seconds }),
  }
  if (rows > 0) scene.seed(rows)
  await run(scene)
  return simulator.journal.mistakes()
}

/** The rules that clients without a mistake are blamed for, with what they do. */
export async function alarmsOf(
  clients: Clients,
  options: SimulatorOptions,
  rows = 0,
): Promise<string[]> {
  const alarms: string[] = []
  for (const [name, run] of Object.entries(clients)) {
    const mistakes = await mistakesOf(run, options, rows)
    alarms.push(...mistakes.map(({ rule }) => `${name}: ${rule}`))
  }
  return alarms
}
