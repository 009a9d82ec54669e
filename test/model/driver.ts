import { setupServer } from 'msw/node'
import type { WorldJson } from '../../src/factories.ts'
import { createSimulator, type Simulator } from '../../src/index.ts'
import { listen, persistInFile } from '../../src/node.ts'
import { parse } from '../support/transports/client.ts'
import { main } from './model.ts'
import type { ApiRequest, ApiResponse } from './request.ts'
import type { Json, Rows } from './rows.ts'
import type { Profile } from './rules/call.ts'
import type { ComparedState } from './show.ts'
import { noon, startRows } from './world.ts'

/** The ways in which a request can reach the simulator. */
export const transports = ['msw', 'fetch', 'http'] as const
export type Transport = (typeof transports)[number]

type Send = (url: string, init: RequestInit) => Promise<Response>

interface Running {
  readonly simulator: Simulator
  readonly origin: string
  readonly send: Send
  readonly close: () => Promise<unknown>
}

/** Rows with every field: tsc names a field that the model does not know. Some of others are optional. */
type CompleteRows = {
  readonly [List in Exclude<
    keyof Rows & keyof WorldJson,
    'repository' | 'dashboard_items'
  >]: readonly Record<keyof NonNullable<WorldJson[List]>[number], unknown>[]
}

/** The simulator, as a client and its test see it. The only file of the model that imports `src`. */
export class Driver {
  readonly #start: () => Promise<Running>
  readonly #stateFile: string
  #running: Running
  #persistence: Awaited<ReturnType<typeof persistInFile>> | null = null

  private constructor(running: Running, start: () => Promise<Running>, stateFile: string) {
    this.#running = running
    this.#start = start
    this.#stateFile = stateFile
  }

  /** @param stateFile where rows are saved before a restart */
  static async open(transport: Transport, profile: Profile, stateFile: string): Promise<Driver> {
    const begin = () => start(transport, profile)
    return new Driver(await begin(), begin, stateFile)
  }

  get origin(): string {
    return this.#running.origin
  }

  /** The simulator, or the sandbox, of a world. */
  simulator(world: string): Simulator {
    const { simulator } = this.#running
    return world === main ? simulator : (simulator.sandboxes.get(world) as Simulator)
  }

  async send(request: ApiRequest): Promise<ApiResponse> {
    const { method, base, path, query, authorization, accept, body } = request
    const search = query.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')
    const response = await this.#running.send(`${base}${path}${search && `?${search}`}`, {
      method,
      headers: {
        ...(authorization !== null && { authorization }),
        ...(accept !== null && { accept }),
        ...(body && { 'content-type': body.contentType }),
      },
      ...(body && { body: body.text }),
    })
    const { status, headers } = response
    return {
      status,
      allow: headers.get('allow'),
      type: headers.get('content-type'),
      location: headers.get('location'),
      authenticate: headers.get('www-authenticate'),
      body: parse(await response.text()) as Json | undefined,
    }
  }

  /** Saves the rows, ends the simulator, and starts another one from the file. */
  async restart(): Promise<void> {
    this.#persistence ??= await this.#persist()
    await this.close()
    this.#running = await this.#start()
    this.#persistence = await this.#persist()
  }

  #persist(): ReturnType<typeof persistInFile> {
    return persistInFile(this.#running.simulator, this.#stateFile)
  }

  state(name: string): ComparedState {
    const { world, clock } = this.simulator(name)
    const { next_ids, ...lists } = world.toJSON()
    const { annotations, plugins, activity } = next_ids as Record<string, number>
    const nextIds = { nextAnnotation: annotations, nextPlugin: plugins, nextActivity: activity }
    const { now } = clock.read()
    const sandboxes = this.#running.simulator.sandboxes.list().map(({ id }) => id)
    return { ...lists, ...nextIds, now, sandboxes } as never
  }

  async close(): Promise<void> {
    await this.#persistence?.close()
    this.#persistence = null
    await this.#running.close()
  }
}

/** One simulator after the other has this origin. */
const interceptedOrigin = 'http://model.test'

async function start(transport: Transport, profile: Profile): Promise<Running> {
  const { nextAnnotation, nextPlugin, nextActivity, nextRevision: _, ...lists } = startRows()
  const rows: CompleteRows = lists
  const next_ids = { annotations: nextAnnotation, plugins: nextPlugin, activity: nextActivity }
  const world = { now: noon, ...rows, next_ids }
  const options = {
    profile,
    world: world as unknown as WorldJson,
    clock: noon,
    journal: { entries: 10 },
    onError,
  }
  if (transport === 'http') {
    const simulator = createSimulator(options)
    const server = await listen(simulator)
    return { simulator, origin: server.url, send: fetch, close: server.close }
  }
  const simulator = createSimulator({ ...options, baseUrl: interceptedOrigin })
  if (transport === 'fetch') {
    const send: Send = (url, init) => simulator.fetch(url, init)
    return { simulator, origin: interceptedOrigin, send, close: async () => {} }
  }
  const server = setupServer(...simulator.handlers)
  server.listen({ onUnhandledRequest: 'error' })
  return { simulator, origin: interceptedOrigin, send: fetch, close: async () => server.close() }
}

/** A handler that throws answers 500, which the model never does. */
const onError = () => {}
