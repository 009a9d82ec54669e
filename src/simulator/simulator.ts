import type { HttpHandler, RequestHandler } from 'msw'
import { fromFetchRequest, isPassthrough, toFetchResponse } from '../adapters/fetch.ts'
import { notFoundHandlers, toMswHandlers } from '../adapters/msw.ts'
import { checkHandlers, UserHandlers } from '../adapters/user-handlers.ts'
import type { Call } from '../http/endpoint.ts'
import { Failure } from '../http/failures.ts'
import {
  type ApiResponse,
  failureResponse,
  queryString,
  type RequestHead,
  requestTarget,
} from '../http/messages.ts'
import {
  type ApiHandler,
  compileHandlers,
  formatBaseUrl,
  type MatchRequest,
  splitSandboxPath,
  toBaseUrl,
} from '../http/route.ts'
import type { ScenarioSource } from '../scenarios/format/scenario.ts'
import { type RecordOptions, recordFromJournal } from '../scenarios/recording/capture-journal.ts'
import type { Recording } from '../scenarios/recording/recorder.ts'
import type { ScenarioSetup, SimulatorRunOptions } from '../scenarios/run/options.ts'
import type { RunResult } from '../scenarios/run/result.ts'
import { resolveSettings, Settings } from '../settings/resolve.ts'
import { createErrorReporter } from '../utils/error-reporter.ts'
import { isRequest } from '../utils/kinds.ts'
import { checkOptions, optionsSchema } from '../utils/options.ts'
import { parseOptions } from '../utils/schema-issues.ts'
import { Clock } from '../world/clock/clock.ts'
import { createDefaults, type Defaults } from '../world/defaults.ts'
import { World } from '../world/edit/edit-rows.ts'
import { Keys } from '../world/keys.ts'
import {
  type LoadedWorld,
  openWorld,
  Snapshot,
  type WorldSource,
} from '../world/load/load-world.ts'
import type { WorldJson } from '../world/world-json.ts'
import type { Faults } from './faults/faults.ts'
import { JournalReader } from './journal/journal-reader.ts'
import {
  type ForkOptions,
  forkOptions,
  type ResetOptions,
  type ResetPart,
  resetSchema,
  type SharedOptions,
  type SimulatorOptions,
  simulatorOptions,
} from './options.ts'
import type { ExplainedResponse, ResponseReasons, RunReport } from './response-reasons.ts'
import { Sandboxes, unknownSandboxReason } from './sandboxes/sandboxes.ts'
import { createApiHandlers, serveUnknownPath } from './serve.ts'
import { State } from './state.ts'

const simulatorSchema = optionsSchema(simulatorOptions)
const forkSchema = optionsSchema(forkOptions)

/** A simulated service. Simulators share no state. */
export class Simulator {
  /** The rows, settings, clock, faults and records, for other modules of this package. @internal */
  readonly state: State
  /** The API keys of the world. */
  readonly keys: Keys
  /** The key, project and organization that a test can use without choosing. */
  readonly defaults: Defaults
  readonly settings: Settings
  readonly clock: Clock
  /** Rules that inject faults into responses. */
  readonly faults: Faults
  /** Typed access to the rows of the world, without a request. */
  readonly world: World
  /** Isolated worlds behind the same handlers, selected by key or URL. */
  readonly sandboxes: Sandboxes<Simulator>
  /** The recorded requests and responses. */
  readonly journal: JournalReader
  readonly #options: SharedOptions
  #apiHandlers: readonly ApiHandler[] | null = null
  #handlers: HttpHandler[] | null = null
  #match: MatchRequest | null = null

  /** @internal */
  constructor(state: State, options: SharedOptions) {
    this.state = state
    this.#options = options
    this.clock = state.clock
    this.faults = state.faults
    this.keys = new Keys(state)
    this.defaults = createDefaults(state)
    this.settings = new Settings(state)
    this.world = new World(state)
    this.journal = new JournalReader(state)
    const { base, limit } = options
    this.sandboxes = new Sandboxes({
      ...{ state, base, limit },
      open: (inner) => new Simulator(inner, { ...options, limit: null }),
    })
  }

  /** What its requests belong to, such as a test: their journal entries and the report of a run say it. */
  get name(): string | null {
    return this.state.name
  }

  set name(name: string | null) {
    this.state.name = name
  }

  /** The base URL, with http://localhost for any origin. */
  get url(): string {
    return formatBaseUrl(this.#options.base)
  }

  /** The handlers of `use` and of the option `handlers`. @internal */
  get userHandlers(): UserHandlers {
    return this.#options.userHandlers
  }

  /**
   * Real MSW handlers for `setupServer`, `setupWorker`, `toExpress` and `listen`: one for all of `use`, one for each path,
   * and two for unknown paths if `baseUrl` has an origin. Always the same.
   */
  get handlers(): HttpHandler[] {
    this.#handlers ??= [
      this.userHandlers.toHandler(),
      ...toMswHandlers(this.apiHandlers),
      ...notFoundHandlers(this.#options.base, this.notFound.bind(this)),
    ]
    return this.#handlers
  }

  /** What the MSW handlers of the API lead to, without MSW. @internal */
  get apiHandlers(): readonly ApiHandler[] {
    this.#apiHandlers ??= createApiHandlers(this.sandboxes, this.#options.base)
    return this.#apiHandlers
  }

  /**
   * Adds MSW handlers of your own, for other APIs or instead of a response of this one. The latest come first, and all
   * come before the handlers of the simulator, until `reset()`. Sandboxes share them. `use(...simulator.handlers)`
   * puts the simulator before a server of the project.
   *
   * @throws UsageError for a value that is no handler
   * @example simulator.use(http.get('https://flags.example.com/', () => HttpResponse.json({ beta: true })))
   */
  use(...handlers: readonly RequestHandler[]): void {
    const added = checkHandlers(handlers, 'use handlers', 'MSW handlers, as in use(...handlers)')
    const { userHandlers } = this
    // The first of `simulator.handlers` runs this list, and would run itself.
    const others = added.filter(
      (handler) => !('users' in handler) || handler.users !== userHandlers,
    )
    userHandlers.current = [...others, ...userHandlers.current]
  }

  /**
   * Handles a request as a server of this API does, unknown paths included.
   *
   * @param input a path is resolved against the base URL, or against http://localhost
   * @throws TypeError if a fault breaks the connection, as fetch does
   * @example await simulator.fetch('/api/projects/', { headers: { authorization: `Bearer ${key}` } })
   */
  readonly fetch: (input: Request | string | URL, init?: RequestInit) => Promise<Response> = async (
    input,
    init,
  ) => {
    const isPath = typeof input === 'string' && input.startsWith('/')
    const request =
      isRequest(input) && !init ? input : new Request(isPath ? this.url + input : input, init)
    const response = await this.#respondTo(request)
    if (response.type === 'error') {
      request.signal.throwIfAborted()
      throw new TypeError('Failed to fetch')
    }
    if (response.url === '') Object.defineProperty(response, 'url', { value: request.url })
    return response
  }

  async #respondTo(request: Request) {
    const byUser = (await this.userHandlers.run({ request, requestId: '', isDirect: true }))
      ?.response
    if (byUser && !isPassthrough(byUser)) return byUser
    const match = this.match(request.url, request)
    const response = match
      ? await match.handle(await fromFetchRequest(request, match.bodyLimit))
      : this.notFound(request.method, request)
    return toFetchResponse(request, response)
  }

  /** Finds what answers a request to the API, without its user handlers. Null for an unknown path or sandbox @internal */
  match(url: string, head: RequestHead): Call | null {
    this.#match ??= compileHandlers(this.apiHandlers)
    return this.#match(url, head)
  }

  /** The response to an unknown path, which the journal records, or to an unknown sandbox. @internal */
  notFound(method: string, { url, headers }: RequestHead): ApiResponse {
    const { base } = this.#options
    const target = requestTarget(url)
    const [below = '/'] = target.slice(base.prefix.length).split('?')
    const { sandboxId, path } = splitSandboxPath(below)
    const state = this.sandboxes.resolve(sandboxId, { url, headers })
    if (!state) {
      const detail = `Sandbox ${sandboxId} not found: ${unknownSandboxReason}.`
      return failureResponse(new Failure('not_found', detail), resolveSettings())
    }
    const request = { method, url, target, query: queryString(url), headers }
    return serveUnknownPath(state, request, path)
  }

  /** Takes a snapshot of the rows, in constant time. */
  snapshot(): Snapshot {
    return new Snapshot(this.state.snapshot())
  }

  /**
   * Restores the rows of a snapshot, any number of times, or those of a saved world. Settings and clock stay, and `reset` still
   * restores the original rows.
   *
   * @throws UsageError with up to 100 issues; then nothing changes
   */
  restore(rows: Snapshot | WorldJson): void {
    this.state.replaceRows(this.#open(rows))
  }

  /**
   * Restores the rows, keys, settings, clock and faults that the simulator started with, drops the requests that faults
   * hold or delay, and removes what `use` added. With `only`, the latter stays, and requests wait on
   * unless it names rows or faults. Sandboxes and the journal stay.
   *
   * @throws UsageError for an unknown option or part; then nothing changes
   * @example simulator.reset()
   * @example simulator.reset({ only: ['rows', 'faults'] })
   */
  reset(options: ResetOptions = {}): void {
    const { state } = this
    const { only } = parseOptions(resetSchema, options, 'reset')
    const isReset = (part: ResetPart) => !only || only.includes(part)
    if (!only) this.userHandlers.current = this.userHandlers.lasting
    if (isReset('settings')) state.settings = state.initialSettings
    if (isReset('clock')) state.clock.reset()
    if (isReset('rows')) this.faults.drop()
    if (isReset('faults')) this.faults.reset()
    // Last, because listeners are notified of replaced rows.
    if (isReset('rows')) state.replaceRows(state.initial)
  }

  /** Replaces the world and the rows that `reset` restores. @throws UsageError with up to 100 issues; then nothing changes */
  replaceWorld(world: WorldSource): void {
    this.state.replaceWorld(this.#open(world))
  }

  #open(world: WorldSource) {
    return openWorld(world, this.state.settings)
  }

  /** This simulator, whose id is null, and its sandboxes. @internal */
  get worlds(): (readonly [world: Simulator, id: string | null])[] {
    const inner = this.sandboxes
      .list()
      .map(({ id }) => [this.sandboxes.get(id) ?? this, id] as const)
    return [[this, null], ...inner]
  }

  /** Calls a listener for this simulator, whose id is null, and for each sandbox before its first request. @internal */
  followWorlds(listener: (world: Simulator, id: string | null) => void): void {
    listener(this, null)
    this.sandboxes.follow((id, sandbox) => listener(sandbox, id))
  }

  /** Calls a listener after each change of the rows. @returns a function that removes the listener */
  onChange(listener: () => void): () => void {
    return this.state.onChange(listener)
  }

  /**
   * Creates a copy of this simulator with its rows, keys, settings and clock. Later changes affect only one of the two.
   * Takes constant time.
   *
   * @throws UsageError for an invalid option
   * @example const other = simulator.fork({ profile: 'live' })
   */
  fork(options: ForkOptions = {}): Simulator {
    checkOptions(forkSchema, options, 'fork the simulator')
    return this.#forkWith(this.state.fork(this.state.snapshot(), options))
  }

  /**
   * Explains a response: the setting that decided a refusal, the others that it depends on with their evidence, and the
   * nearest request that succeeds. Loads on demand.
   *
   * @param response a response whose URL, status and unread body are in the journal, its entry, or the id of the entry
   * @throws UsageError if the journal has no such response
   * @example (await simulator.explain(await fetch(url))).decided_by?.evidence // 'source'
   */
  async explain(response: ExplainedResponse): Promise<ResponseReasons> {
    return (await import('../explain/explain.ts')).explain(response, this.state)
  }

  /**
   * Runs a scenario in its own world. This simulator does not change, unless `in_place` is set. It provides the
   * world, profile and clock that the scenario leaves out. Loads on demand.
   *
   * @throws UsageError with up to 100 issues of the scenario; then nothing runs
   * @example expect(scenarioReport(await simulator.run(story))).toContain('7 of 7 steps passed')
   */
  async run(scenario: ScenarioSource, options: SimulatorRunOptions = {}): Promise<RunResult> {
    const { runInSimulator } = await import('../explain/run-in-simulator.ts')
    return runInSimulator(scenario, options, this)
  }

  /** A copy whose delays take no time, in which a run starts. @internal */
  forkForRun(loaded: LoadedWorld, setup: ScenarioSetup): Simulator {
    const copy = this.#forkWith(this.state.fork(loaded, setup))
    copy.faults.endWaits()
    return copy
  }

  /**
   * Records the requests in the journal as a scenario, with the world before the first one. Times
   * that the service sets are matched, keys become labels, and secrets and personal data are replaced.
   *
   * @throws UsageError for an invalid option, and if there are no requests
   * @example const { scenario, warnings } = simulator.record({ title: 'A launch is announced' })
   */
  record(options: RecordOptions = {}): Recording {
    return recordFromJournal(this.state, options, this.sandboxes)
  }

  /**
   * Reports on the requests in the journal: the client mistakes, and the settings that the responses depend on, with the
   * evidence for each.
   *
   * @returns a report that counts, in `not_covered`, the requests that the journal no longer has
   * @throws UsageError if the journal is disabled
   * @example (await simulator.report()).settings.filter(({ evidence }) => evidence === 'assumed')
   */
  async report(): Promise<RunReport> {
    const { reportJournal } = await import('../report/usage.ts')
    return reportJournal(this)
  }

  /** A copy with its own list of handlers. */
  #forkWith(state: State) {
    const userHandlers = new UserHandlers(this.userHandlers.current)
    return new Simulator(state, { ...this.#options, userHandlers })
  }
}

/**
 * Creates a simulator of the API, synchronously and without a server.
 *
 * @throws UsageError for an unknown option, world, profile or setting, and for an invalid world
 * @example const simulator = createSimulator({ world: 'default', clock: '2024-06-01T00:00:00Z' })
 */
export function createSimulator(options: SimulatorOptions = {}): Simulator {
  checkOptions(simulatorSchema, options, 'create a simulator')
  const { world = 'default', profile, settings: overrides, seed, clock = 'real' } = options
  const { journal, baseUrl = '*', handlers = [], sandboxes: limit = 10_000, onError } = options
  const settings = resolveSettings(profile, overrides)
  const opened = openWorld(world, settings)
  checkHandlers(handlers, 'create a simulator')
  const state = new State({
    loaded: { ...opened, seed: seed ?? opened.seed },
    settings,
    clock: new Clock(clock),
    journal,
    onError: createErrorReporter(onError),
  })
  const userHandlers = new UserHandlers(handlers)
  return new Simulator(state, { base: toBaseUrl(baseUrl), userHandlers, limit })
}
