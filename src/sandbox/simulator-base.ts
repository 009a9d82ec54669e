import type { HttpHandler, RequestHandler } from 'msw'
import { handleFetch, isPassthrough } from '../adapters/fetch.ts'
import type { OwnHandlers } from '../adapters/msw.ts'
import type { ApiResponse, RequestHead } from '../http/messages.ts'
import type { ApiHandler } from '../http/route.ts'
import { Settings } from '../settings/access.ts'
import { rejectUnknownFields, unexpectedValue, unknownWord } from '../utils/errors.ts'
import type { Clock } from '../world/clock/clock.ts'
import { createDefaults, type Defaults } from '../world/defaults.ts'
import { type AddedIds, addRows, type NewRows } from '../world/edit/add-rows.ts'
import { WorldAccess } from '../world/edit/world-access.ts'
import { Keys } from '../world/keys.ts'
import { type BuiltInWorld, Snapshot } from '../world/load/build-world.ts'
import { openWorld } from '../world/load/load-world.ts'
import type { WorldJson } from '../world/world-json.ts'
import { Faults } from './faults/faults.ts'
import type { JournalReader } from './journal/journal-reader.ts'
import { createExplainer } from './journal/why-header.ts'
import { Router } from './router.ts'
import type { Sandbox } from './sandbox.ts'
import { Sandboxes } from './sandboxes/sandboxes.ts'
import { Snapshots } from './snapshots.ts'

/** Everything of a simulator that needs no scenario. */
export abstract class SimulatorBase {
  /** The API keys of the world. */
  declare readonly keys: Keys
  /** The key, project and organization that a test can use without choosing. */
  declare readonly defaults: Defaults
  /** Named snapshots. */
  declare readonly snapshots: Snapshots
  declare readonly settings: Settings
  declare readonly clock: Clock
  /** Rules that inject faults into responses. */
  declare readonly faults: Faults
  /** The recorded requests and responses. */
  abstract readonly journal: JournalReader
  /** Typed access to the rows of the world, without a request. */
  declare readonly world: WorldAccess
  /** Isolated worlds behind the same handlers, selected by key or URL. */
  declare readonly sandboxes: Sandboxes<SimulatorBase>
  /**
   * The state behind the simulator, for other modules of this package.
   *
   * @internal
   */
  readonly sandbox: Sandbox
  protected readonly router: Router
  readonly #sandboxLimit: number

  /** @param limit the largest number of sandboxes at once */
  constructor(router: Router, limit: number) {
    const { sandbox } = router
    this.router = router
    this.sandbox = sandbox
    this.#sandboxLimit = limit
    if (sandbox.number === 0) router.resolver = this.sandboxes.resolver
  }

  static {
    defineLazily(SimulatorBase.prototype, {
      keys: ({ sandbox }) => new Keys(sandbox),
      defaults: ({ sandbox }) => createDefaults(sandbox),
      snapshots: ({ sandbox }) => new Snapshots(sandbox),
      settings: ({ sandbox }) => new Settings(sandbox),
      clock: ({ sandbox }) => sandbox.clock,
      faults: ({ sandbox }) => new Faults(sandbox),
      world: ({ sandbox, defaults }) => new WorldAccess(sandbox, defaults),
      sandboxes: (simulator) => simulator.#openSandboxes(),
    })
  }

  #openSandboxes(): Sandboxes<SimulatorBase> {
    const { router, sandbox, snapshots } = this
    const { base } = router
    return new Sandboxes({
      sandbox,
      base,
      snapshots: snapshots.all,
      limit: this.#sandboxLimit,
      open: (inner) => {
        const opened = this.openInner(new Router(inner, base, router.explain, router.own))
        if (this.faults.hasInitial) opened.faults.startLike(this.faults)
        return opened
      },
    })
  }

  /** Creates the simulator of a sandbox. */
  protected abstract openInner(router: Router): SimulatorBase

  /**
   * Real MSW handlers for `setupServer`, `setupWorker` or `toExpress`: one for each path, and before these one for all
   * of `use`. Created on first use, then always the same.
   */
  get handlers(): HttpHandler[] {
    return this.router.handlers
  }

  /**
   * Adds MSW handlers of your own, for other APIs or instead of a response of this one. The latest come first, and all
   * come before the handlers of the simulator, until `reset()`. Sandboxes share them. With `simulator.handlers`, the
   * simulator comes before a server of the project.
   *
   * @throws UsageError for a value that is no handler
   * @example simulator.use(http.get('https://flags.example.com/', () => HttpResponse.json({ beta: true })))
   */
  use(...handlers: readonly RequestHandler[]): void {
    const added = checkHandlers(handlers, 'use handlers', 'MSW handlers, as in use(...handlers)')
    // The first of `simulator.handlers` runs this list, and would run itself.
    this.own.current = [...added.filter((one) => one !== this.own), ...this.own.current]
  }

  /**
   * The handlers of `use` and of the option `handlers`.
   *
   * @internal
   */
  get own(): OwnHandlers {
    return this.router.own
  }

  /** The handlers behind the MSW handlers, for a server. */
  get endpointHandlers(): readonly ApiHandler[] {
    return this.router.endpointHandlers
  }

  /**
   * Handles a request as a server of this API does, unknown paths included.
   *
   * @param input a path is resolved against the base URL, or against http://localhost
   * @throws TypeError if a fault breaks the connection, as fetch does
   * @example await simulator.fetch('/api/projects/', { headers: { authorization: `Bearer ${key}` } })
   */
  async fetch(input: Request | string | URL, init?: RequestInit): Promise<Response> {
    const isPath = typeof input === 'string' && input.startsWith('/')
    const request =
      input instanceof Request && !init
        ? input
        : new Request(isPath ? this.router.url + input : input, init)
    const own = (await this.own.run({ request, requestId: '' }))?.response
    const response =
      own && !isPassthrough(own)
        ? own
        : await handleFetch(this.endpointHandlers, request, this.notFound.bind(this))
    if (response.type === 'error') {
      request.signal.throwIfAborted()
      throw new TypeError('Failed to fetch')
    }
    return response
  }

  /** The service's response to an unknown path. A header lists the closest endpoints. */
  notFound(method: string, head: RequestHead): ApiResponse {
    return this.router.notFound(method, head)
  }

  /** Whether the header `understudy-why` says why a request was refused, and what was ignored. */
  get explainsInHeader(): boolean {
    return this.router.explain !== null
  }

  set explainsInHeader(explains: boolean) {
    this.router.explain = createExplainer(explains)
  }

  /** Takes a snapshot of the rows, in constant time. */
  snapshot(): Snapshot {
    return new Snapshot(this.sandbox.snapshot())
  }

  /**
   * Restores the rows of a snapshot. A snapshot can be restored any number of times. Settings and clock stay.
   *
   * @throws UsageError for any other value
   */
  restore(snapshot: Snapshot): void {
    this.sandbox.restore(Snapshot.stateOf(snapshot))
  }

  /**
   * Restores the rows, keys, settings, clock and faults that the simulator started with, drops the requests that faults hold, and removes what `use` added. With `only`, the latter stays. Snapshots, sandboxes and the
   * journal stay in any case.
   *
   * @throws UsageError for an unknown option or part; then nothing changes
   * @example simulator.reset()
   * @example simulator.reset({ only: ['rows', 'faults'] })
   */
  reset(options: ResetOptions = {}): void {
    const { sandbox } = this
    const parts = parseResetParts(options)
    const isReset = (part: ResetPart): boolean => parts.includes(part)
    if (options.only === undefined) this.own.current = this.own.initial
    if (isReset('settings')) sandbox.settings = sandbox.initialSettings
    if (isReset('clock')) sandbox.clock.reset()
    if (isReset('rows')) this.faults.drop()
    if (isReset('faults')) this.faults.reset()
    // Last, because listeners are notified of replaced rows.
    if (isReset('rows')) sandbox.resetRows()
    else if (isReset('keys')) {
      const { loaded, tables, initial } = sandbox
      sandbox.restore({ ...loaded, tables: { ...tables, keys: initial.tables.keys } })
    }
  }

  /**
   * Replaces the world and the rows that `reset` restores.
   *
   * @throws UsageError with every issue; then nothing changes
   */
  replaceWorld(world: BuiltInWorld | WorldJson): void {
    this.sandbox.replace(this.#open(world))
  }

  /** Continues with a saved world. `reset` still restores the original rows. @throws UsageError with every issue */
  resume(world: WorldJson): void {
    this.sandbox.restore(this.#open(world))
  }

  #open(world: BuiltInWorld | WorldJson): ReturnType<typeof openWorld> {
    return openWorld(world, this.sandbox.settingTracker.untracked)
  }

  /** Calls a listener after each change of the rows. @returns a function that removes the listener */
  onChange(listener: () => void): () => void {
    return this.sandbox.onChange(listener)
  }

  /** Adds rows, list by list: all of them or none. @throws UsageError with every issue */
  addRows(rows: NewRows): AddedIds {
    return addRows(this.sandbox, rows)
  }
}

/**
 * A handler of another copy of MSW is not an instance of the same class.
 *
 * @throws UsageError for a value that is no list of MSW handlers
 */
export function checkHandlers(
  handlers: readonly RequestHandler[],
  task: string,
  expected = 'a list of MSW handlers',
): readonly RequestHandler[] {
  const isHandler = (one: RequestHandler | null) => typeof one?.run === 'function'
  if (Array.isArray(handlers) && handlers.every(isHandler)) return handlers
  throw unexpectedValue(task, expected, handlers, undefined, 'handlers')
}

/** A part of a simulator that `reset` restores. The rows include the keys. */
export type ResetPart = 'rows' | 'keys' | 'settings' | 'clock' | 'faults'

/** Options of `simulator.reset`. */
export interface ResetOptions {
  /** The parts to restore. By default all of them. */
  readonly only?: readonly ResetPart[]
}

export const resetParts: readonly ResetPart[] = ['rows', 'keys', 'settings', 'clock', 'faults']

function parseResetParts(options: ResetOptions): readonly ResetPart[] {
  rejectUnknownFields(options, ['only'], 'reset')
  const { only = resetParts } = options
  if (!Array.isArray(only)) {
    throw unexpectedValue('reset', `a list of ${resetParts.join(', ')}`, only, undefined, 'only')
  }
  const unknown = only.findIndex((part) => !resetParts.includes(part))
  if (unknown < 0) return only
  throw unknownWord('reset', resetParts, only[unknown], `only[${unknown}]`)
}

/**
 * Defines properties whose values are created on first use: objects in large numbers rarely need all of theirs.
 *
 * @param create creates the value of each property
 */
export function defineLazily<T extends object>(
  prototype: T,
  create: { readonly [Name in keyof T]?: (owner: T) => T[Name] },
): void {
  for (const name of Object.keys(create) as (keyof T & string)[]) {
    Object.defineProperty(prototype, name, {
      get(this: T) {
        const value = create[name]?.(this)
        Object.defineProperty(this, name, { value, enumerable: true })
        return value
      },
    })
  }
}
