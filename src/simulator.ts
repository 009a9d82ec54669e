import type { HttpHandler } from 'msw'
import { toCall, toResponse } from './adapters/fetch.ts'
import { doorOf, toHandlers } from './adapters/msw.ts'
import { type Defaults, defaultsOf } from './defaults.ts'
import { endpoints, families } from './endpoints.ts'
import type { Answer } from './http/call.ts'
import { endpointNotFound, nearestEndpoints } from './http/not-found.ts'
import { type Base, toBase } from './http/path.ts'
import { Keys } from './keys.ts'
import { Policies } from './policies/running.ts'
import { type PolicyOverrides, type Profile, settle } from './policies/settings.ts'
import { type Snapshot, WorldSandbox } from './sandbox.ts'
import { unexpected } from './usage-error.ts'
import { WorldAccess } from './world/access.ts'
import { Clock, toTime } from './world/clock.ts'
import { type BuiltInWorld, openWorld } from './world/fixtures.ts'
import type { WorldJson } from './world/world-json.ts'

/** How a simulator begins. */
export interface SimulatorOptions {
  /** A built-in world by name, or a world as JSON; `default` when missing. */
  readonly world?: BuiltInWorld | WorldJson
  /** What generated values follow from, such as the keys that are issued; by default the world's own seed. */
  readonly seed?: number
  readonly profile?: Profile
  /** Policies that differ from the profile: `{ 'annotations.delete.status': 403 }`. */
  readonly policies?: PolicyOverrides
  /** Where the API begins: an origin, a path, both; `*` (the default) for any origin. */
  readonly baseUrl?: string
  /** The real time (the default), or a time at which the clock stands still. */
  readonly clock?: 'real' | string | Date
  /** Told of exceptions inside the simulator, which callers see as a 500; by default console.error. */
  readonly onError?: (error: unknown) => void
}

/** One simulated service. Several live side by side without seeing each other. */
export class Simulator {
  /** The rows of the world, typed, without a request. */
  readonly world: WorldAccess
  readonly keys: Keys
  readonly policies: Policies
  readonly clock: Clock
  readonly defaults: Defaults
  #handlers: HttpHandler[] | null = null
  readonly #sandbox: WorldSandbox
  readonly #base: Base

  constructor(sandbox: WorldSandbox, base: Base) {
    this.#sandbox = sandbox
    this.#base = base
    this.clock = sandbox.clock
    this.keys = new Keys(sandbox)
    this.policies = new Policies(sandbox)
    this.defaults = defaultsOf(sandbox)
    this.world = new WorldAccess(sandbox, this.defaults)
  }

  /**
   * Real MSW handlers, one for each endpoint: for `setupServer`, `setupWorker` or `toExpress`. Made when first
   * asked for, then always the same.
   */
  get handlers(): HttpHandler[] {
    this.#handlers ??= toHandlers(families, this.#base, this.#sandbox, this.notFound.bind(this))
    return this.#handlers
  }

  /**
   * Answers a request as a server of this API does, unknown paths included.
   *
   * @param input a path is taken from the base URL on, or from http://localhost
   * @example await simulator.fetch('/api/projects/', { headers: { authorization: `Bearer ${key}` } })
   */
  async fetch(input: Request | string | URL, init?: RequestInit): Promise<Response> {
    const request =
      input instanceof Request && !init ? input : new Request(this.#absolute(input), init)
    for (const handler of this.handlers) {
      const door = doorOf(handler)
      const params = door?.match(request.method, request.url)
      if (!door || !params) continue
      const call = await toCall(request, door.bodyLimit)
      return toResponse(request.method, await door.answer(params, call))
    }
    const { pathname } = new URL(request.url)
    return toResponse(request.method, this.notFound(request.method, pathname))
  }

  /** The service's answer to a path it does not have; a header names the endpoints nearest to it. */
  notFound(method: string, path: string): Answer {
    return endpointNotFound(nearestEndpoints(method, path, endpoints, 3), this.#sandbox.settings)
  }

  /** The rows as they are, to come back to; costs the same at any size. */
  snapshot(): Snapshot {
    return this.#sandbox.snapshot()
  }

  /** Goes back to a snapshot, as often as wanted. Policies and clock stay as they are. */
  restore(snapshot: Snapshot): void {
    this.#sandbox.restore(snapshot)
  }

  /** Goes back to the rows it began with. Policies and clock stay as they are. */
  reset(): void {
    this.#sandbox.reset()
  }

  /** Begins anew from another world, whole or not at all. @throws UsageError with every fault */
  replaceWorld(world: BuiltInWorld | WorldJson): void {
    this.#sandbox.replace(openWorld(world))
  }

  #absolute(input: Request | string | URL): Request | string | URL {
    if (typeof input !== 'string' || !input.startsWith('/')) return input
    const { origin, prefix } = this.#base
    return `${origin === '*' ? 'http://localhost' : origin}${prefix}${input}`
  }
}

/**
 * Makes a simulator of the API, at once and without a server.
 *
 * @throws UsageError for an unknown world, profile or policy, or a world with faults
 * @example const simulator = createSimulator({ world: 'default', clock: '2024-06-01T00:00:00Z' })
 */
export function createSimulator(options: SimulatorOptions = {}): Simulator {
  const { world = 'default', seed, profile, policies, baseUrl = '*', clock = 'real' } = options
  const { onError = console.error } = options
  if (seed !== undefined && !Number.isInteger(seed)) {
    throw unexpected('read the seed', 'a whole number', seed)
  }
  const loaded = openWorld(world)
  const sandbox = new WorldSandbox(
    { ...loaded, seed: seed ?? loaded.seed },
    settle(profile, policies),
    new Clock(clock === 'real' ? null : toTime(clock)),
    onError,
  )
  return new Simulator(sandbox, toBase(baseUrl))
}
