import type { HttpHandler, RequestHandler } from 'msw'
import { fromFetchRequest, isPassthrough, toFetchResponse } from '../adapters/fetch.ts'
import { notFoundHandlers, toMswHandlers } from '../adapters/msw.ts'
import type { UserHandlers } from '../adapters/user-handlers.ts'
import { pathItems } from '../api/endpoints.ts'
import {
  type ApiHandler,
  compileHandlers,
  type MatchRequest,
  type RequestMatch,
} from '../http/api-handler.ts'
import { failureResponse } from '../http/failure-response.ts'
import { Failure } from '../http/failures.ts'
import type { ApiResponse, RequestHead } from '../http/messages.ts'
import {
  type BaseUrl,
  formatBaseUrl,
  queryString,
  requestTarget,
  splitSandboxPath,
} from '../http/url.ts'
import { Settings } from '../settings/access.ts'
import { resolveSettings } from '../settings/resolve.ts'
import { checkAll, rejectUnknownFields, unexpectedValue, unknownWord } from '../utils/errors.ts'
import type { Clock } from '../world/clock/clock.ts'
import { createDefaults, type Defaults } from '../world/defaults.ts'
import { World } from '../world/edit/world.ts'
import { Keys } from '../world/keys.ts'
import { type BuiltInWorld, Snapshot } from '../world/load/build-world.ts'
import { openWorld } from '../world/load/load-world.ts'
import type { WorldJson } from '../world/world-json.ts'
import type { Faults } from './faults/faults.ts'
import type { JournalReader } from './journal/journal-reader.ts'
import { Sandboxes } from './sandboxes/sandboxes.ts'
import { serve, serveUnknownPath } from './serve.ts'
import { Snapshots } from './snapshots.ts'
import type { State } from './state.ts'

/** How requests reach a service, and what its sandboxes and copies have in common with it. */
export interface ServiceOptions {
  readonly base: BaseUrl
  /** The handlers of the user, which come first. */
  readonly userHandlers: UserHandlers
  /** Whether the header `understudy-why` says why a request was refused, and what was ignored. */
  readonly explains: boolean
  /** The largest number of sandboxes at once. */
  readonly limit: number
}

/** A simulated service: everything of a simulator that needs no scenario. */
export abstract class Service {
  /**
   * The rows, settings, clock, faults and records, for other modules of this package.
   *
   * @internal
   */
  readonly state: State
  /** The API keys of the world. */
  readonly keys: Keys
  /** The key, project and organization that a test can use without choosing. */
  readonly defaults: Defaults
  /** Named snapshots. */
  readonly snapshots: Snapshots
  readonly settings: Settings
  readonly clock: Clock
  /** Rules that inject faults into responses. */
  readonly faults: Faults
  /** Typed access to the rows of the world, without a request. */
  readonly world: World
  /** Isolated worlds behind the same handlers, selected by key or URL. */
  readonly sandboxes: Sandboxes<Service>
  /** The recorded requests and responses. */
  abstract readonly journal: JournalReader
  protected readonly options: ServiceOptions
  #apiHandlers: readonly ApiHandler[] | null = null
  #handlers: HttpHandler[] | null = null
  #match: MatchRequest | null = null

  constructor(state: State, options: ServiceOptions) {
    this.state = state
    this.options = options
    this.clock = state.clock
    this.faults = state.faults
    this.keys = new Keys(state)
    this.defaults = createDefaults(state)
    this.settings = new Settings(state)
    this.snapshots = new Snapshots(state)
    this.world = new World(state)
    const { base, limit } = options
    this.sandboxes = new Sandboxes({
      ...{ state, base, limit, snapshots: this.snapshots },
      open: (inner) => this.open(inner, { ...options, limit: 0 }),
    })
  }

  /** Creates a simulator of the same kind with another state. */
  protected abstract open(state: State, options: ServiceOptions): Service

  /** What its requests belong to, such as a test: their journal entries and the report of a run say it. */
  get name(): string | null {
    return this.state.name
  }

  set name(name: string | null) {
    this.state.name = name
  }

  /** The base URL, with http://localhost for any origin. */
  get url(): string {
    return formatBaseUrl(this.options.base)
  }

  /** The handlers of `use` and of the option `handlers`, as one. */
  get userHandlers(): UserHandlers {
    return this.options.userHandlers
  }

  /** Whether the header `understudy-why` says why a request was refused, and what was ignored. */
  get explains(): boolean {
    return this.options.explains
  }

  /**
   * Real MSW handlers for `setupServer`, `setupWorker`, `toExpress` and `listen`: one for each path, and before these one
   * for all of `use`. Created on first use, then always the same.
   */
  get handlers(): HttpHandler[] {
    this.#handlers ??= [
      this.userHandlers,
      ...toMswHandlers(this.apiHandlers),
      ...notFoundHandlers(this.options.base, this.notFound.bind(this)),
    ]
    return this.#handlers
  }

  /** What the MSW handlers of the API lead to, without MSW. */
  get apiHandlers(): readonly ApiHandler[] {
    const { base } = this.options
    this.#apiHandlers ??= pathItems.map((item): ApiHandler => {
      const { path, endpoints } = item
      return {
        base,
        path,
        methods: endpoints.map(({ method }) => method),
        open: ({ params, sandboxId }, head) => {
          const state = this.sandboxes.resolve(sandboxId, head)
          if (!state) return null
          const { arrival, settings } = state
          return {
            bodyLimit: settings['limits.body'],
            handle: (request) => serve(state, { item, params }, request, this.options, arrival),
          }
        },
      }
    })
    return this.#apiHandlers
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
    const { userHandlers } = this
    // The first of `simulator.handlers` runs this list, and would run itself.
    const others = added.filter((one) => one !== userHandlers)
    userHandlers.current = [...others, ...userHandlers.current]
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
        : new Request(isPath ? this.url + input : input, init)
    const response = await this.#respondTo(request)
    if (response.type === 'error') {
      request.signal.throwIfAborted()
      throw new TypeError('Failed to fetch')
    }
    return response
  }

  async #respondTo(request: Request): Promise<Response> {
    const byUser = (await this.userHandlers.run({ request, requestId: '', isDirect: true }))
      ?.response
    if (byUser && !isPassthrough(byUser)) return byUser
    const match = this.match(request.url, request)
    const response = match
      ? await match.handle(await fromFetchRequest(request, match.bodyLimit))
      : this.notFound(request.method, request)
    return toFetchResponse(request, response)
  }

  /** Finds what answers a request to the API, without its user handlers. Null for an unknown path or sandbox */
  match(url: string, head: RequestHead): RequestMatch | null {
    this.#match ??= compileHandlers(this.apiHandlers)
    return this.#match(url, head)
  }

  /** The response to an unknown path or an unknown sandbox. The journal records unknown paths of the API. */
  notFound(method: string, { url, headers }: RequestHead): ApiResponse {
    const { base } = this.options
    const target = requestTarget(url)
    const [below = '/'] = target.slice(base.prefix.length).split('?')
    const { sandboxId, path } = splitSandboxPath(below)
    const state = this.sandboxes.resolve(sandboxId, { url, headers })
    if (!state) {
      const detail = `Sandbox ${sandboxId} not found: ${unknownSandboxReason}.`
      return failureResponse(new Failure('not_found', detail), resolveSettings())
    }
    const request = { method, url, target, query: queryString(url), headers }
    return serveUnknownPath(state, request, path, this.options)
  }

  /** Takes a snapshot of the rows, in constant time. */
  snapshot(): Snapshot {
    return new Snapshot(this.state.snapshot())
  }

  /**
   * Restores the rows of a snapshot. A snapshot can be restored any number of times. Settings and clock stay.
   *
   * @throws UsageError for any other value
   */
  restore(snapshot: Snapshot): void {
    this.state.restore(Snapshot.stateOf(snapshot))
  }

  /**
   * Restores the rows, keys, settings, clock and faults that the simulator started with, drops the requests that faults
   * hold or delay, and removes what `use` added. With `only`, the latter stays. Snapshots, sandboxes and the journal stay
   * in any case. If only the keys are restored, those of a user, project or organization that was deleted are not.
   *
   * @throws UsageError for an unknown option or part; then nothing changes
   * @example simulator.reset()
   * @example simulator.reset({ only: ['rows', 'faults'] })
   */
  reset(options: ResetOptions = {}): void {
    const { state } = this
    const parts = parseResetParts(options)
    const isReset = (part: ResetPart): boolean => parts.includes(part)
    if (options.only === undefined) this.userHandlers.current = this.userHandlers.lasting
    if (isReset('settings')) state.settings = state.initialSettings
    if (isReset('clock')) state.clock.reset()
    if (isReset('rows')) this.faults.drop()
    if (isReset('faults')) this.faults.reset()
    // Last, because listeners are notified of replaced rows.
    if (isReset('rows')) state.resetRows()
    else if (isReset('keys')) state.resetKeys()
  }

  /**
   * Replaces the world and the rows that `reset` restores.
   *
   * @throws UsageError with every issue; then nothing changes
   */
  replaceWorld(world: BuiltInWorld | WorldJson): void {
    this.state.replace(this.#open(world))
  }

  /** Continues with a saved world. `reset` still restores the original rows. @throws UsageError with every issue */
  resume(world: WorldJson): void {
    this.state.restore(this.#open(world))
  }

  #open(world: BuiltInWorld | WorldJson): ReturnType<typeof openWorld> {
    return openWorld(world, this.state.settings)
  }

  /** Calls a listener after each change of the rows. @returns a function that removes the listener */
  onChange(listener: () => void): () => void {
    return this.state.onChange(listener)
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
  // One of a WebSocket runs, too, but describes no request.
  const isHandler = (one: RequestHandler | null) =>
    typeof one?.run === 'function' && one.info !== undefined
  if (Array.isArray(handlers) && handlers.every(isHandler)) return handlers
  throw unexpectedValue(task, expected, handlers, undefined, 'handlers')
}

/** Why no sandbox has an id, if nothing else is known of it. */
export const unknownSandboxReason = 'it was never created, or has ended'

/** A part of a simulator that `reset` restores. The rows include the keys. */
export type ResetPart = 'rows' | 'keys' | 'settings' | 'clock' | 'faults'

/** Options of `simulator.reset`. */
export interface ResetOptions {
  /** The parts to restore. By default all of them. */
  readonly only?: readonly ResetPart[]
}

export const resetParts: readonly ResetPart[] = ['rows', 'keys', 'settings', 'clock', 'faults']

function parseResetParts(options: ResetOptions): readonly ResetPart[] {
  const { only = resetParts } = Object(options) as ResetOptions
  const checkPart = (part: ResetPart, index: number): void => {
    if (!resetParts.includes(part)) throw unknownWord('reset', resetParts, part, `only[${index}]`)
  }
  checkAll('reset', [
    () => rejectUnknownFields(options, ['only'], 'reset'),
    () => {
      if (Array.isArray(only)) return
      const expected = `a list of ${resetParts.join(', ')}`
      throw unexpectedValue('reset', expected, only, undefined, 'only')
    },
    ...[only].flat().map((part, index) => () => Array.isArray(only) && checkPart(part, index)),
  ])
  return only
}
