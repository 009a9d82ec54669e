import type { HttpHandler } from 'msw'
import type { Actors } from './actors/actors.ts'
import { answerBy, notFoundHandlers, toHandlers } from './adapters/service.ts'
import { type Defaults, defaultsOf } from './defaults.ts'
import { families } from './endpoints.ts'
import type { Faults } from './faults/faults.ts'
import { freeWords } from './free-words.ts'
import { type Explanation, explain } from './history/why.ts'
import { addressOf, type Base, toBase } from './http/base.ts'
import type { Answer, Head } from './http/call.ts'
import { JournalAccess } from './journal/access.ts'
import { Keys } from './keys.ts'
import { answerUnknown } from './not-found.ts'
import { Policies } from './policies/running.ts'
import { settle } from './policies/settings.ts'
import { recordJournal } from './recordings/from-journal.ts'
import type { RecordOptions } from './recordings/record-options.ts'
import type { Recording } from './recordings/recording.ts'
import { rehearse } from './rehearse.ts'
import type { Replay } from './replay-server/replay.ts'
import { toReport } from './report.ts'
import { addRows } from './rows/add-rows.ts'
import type { AddedIds, NewRows } from './rows/new-rows.ts'
import { WorldSandbox } from './sandbox.ts'
import { begin, seeded } from './sandboxes/begin.ts'
import { checkRequest, forkFields } from './sandboxes/check.ts'
import type { SandboxRequest } from './sandboxes/request.ts'
import { Sandboxes } from './sandboxes/sandboxes.ts'
import type { ReplayOptions } from './scenarios/replay.ts'
import { type Beginning, replayHere } from './scenarios/replay-here.ts'
import type { ReplayResult } from './scenarios/result.ts'
import type { Scenario } from './scenarios/scenario.ts'
import type { SimulatorOptions } from './simulator-options.ts'
import { Snapshot } from './snapshot.ts'
import { Snapshots } from './snapshots/snapshots.ts'
import { WorldAccess } from './world/access.ts'
import { Clock } from './world/clock.ts'
import { type BuiltInWorld, openWorld } from './world/fixtures.ts'
import { type FreeWord, loadWorld } from './world/load.ts'
import type { WorldJson } from './world/world-json.ts'

/** One simulated service. Several live side by side without seeing each other. */
export class Simulator {
  readonly keys: Keys
  readonly policies: Policies
  readonly clock: Clock
  readonly defaults: Defaults
  /** Second writers, who write at moments that requests decide. */
  readonly actors: Actors
  /** The rules that disturb answers. */
  readonly faults: Faults
  /** Other worlds that the same handlers answer from, chosen by key or by address. */
  readonly sandboxes: Sandboxes
  /** Named states to come back to. */
  readonly snapshots: Snapshots
  /** What was asked, and what was answered. */
  readonly journal: JournalAccess
  /** The replay that answers before it on a server; null where none does. */
  replaying: Replay | null = null
  #world: WorldAccess | null = null
  #handlers: HttpHandler[] | null = null
  readonly #sandbox: WorldSandbox
  readonly #base: Base

  constructor(sandbox: WorldSandbox, base: Base, limit = 10_000) {
    this.#sandbox = sandbox
    this.#base = base
    this.clock = sandbox.clock
    this.actors = sandbox.actors
    this.faults = sandbox.faults
    this.keys = new Keys(sandbox)
    this.policies = new Policies(sandbox)
    this.defaults = defaultsOf(sandbox)
    this.journal = new JournalAccess(sandbox, addressOf({ ...base, prefix: '' }))
    this.snapshots = new Snapshots(sandbox)
    const open = (inner: WorldSandbox): Simulator => new Simulator(inner, base, 0)
    this.sandboxes = new Sandboxes({ sandbox, base, snapshots: this.snapshots.all, limit, open })
  }

  /** The rows of the world, typed, without a request. */
  get world(): WorldAccess {
    this.#world ??= new WorldAccess(this.#sandbox, this.defaults)
    return this.#world
  }

  /**
   * Real MSW handlers, one for each endpoint: for `setupServer`, `setupWorker` or `toExpress`. Made when first
   * asked for, then always the same.
   */
  get handlers(): HttpHandler[] {
    const choose = this.sandboxes.choose.bind(this.sandboxes)
    this.#handlers ??= [
      ...toHandlers(families, this.#base, { choose, answer: rehearse }),
      ...notFoundHandlers(this.#base, this.notFound.bind(this)),
    ]
    return this.#handlers
  }

  /**
   * Answers a request as a server of this API does, unknown paths included.
   *
   * @param input a path is taken from the base URL on, or from http://localhost
   * @throws TypeError where a fault breaks the connection, as fetch does
   * @example await simulator.fetch('/api/projects/', { headers: { authorization: `Bearer ${key}` } })
   */
  async fetch(input: Request | string | URL, init?: RequestInit): Promise<Response> {
    const request =
      input instanceof Request && !init ? input : new Request(this.#absolute(input), init)
    const response = await answerBy(this.handlers, request, this.notFound.bind(this))
    if (response.type === 'error') {
      request.signal.throwIfAborted()
      throw new TypeError('Failed to fetch')
    }
    return response
  }

  /**
   * Which request, second actor or edit each field of a row comes from; of one that was taken out, what it was.
   *
   * @param resource the name of a list, or of one row of it: `annotations` or `annotation`
   * @returns undefined for a row that never was, as far as is known
   * @throws UsageError for an unknown list
   * @example simulator.why('annotation', 3)?.fields
   */
  why(resource: string, id: number | string): Explanation | undefined {
    return explain(resource, id, this.#sandbox)
  }

  /** The service's answer to a path it does not have; a header names the endpoints nearest to it. */
  notFound(method: string, head: Head): Answer {
    return answerUnknown(method, head, this.#base, this.sandboxes)
  }

  /** The rows as they are, to come back to; costs the same at any size. */
  snapshot(): Snapshot {
    return new Snapshot(this.#sandbox.snapshot())
  }

  /** Goes back to a snapshot, as often as wanted. Policies and clock stay as they are. @throws UsageError for none */
  restore(snapshot: Snapshot): void {
    this.#sandbox.restore(Snapshot.stateOf(snapshot))
  }

  /** Goes back to the rows it began with. Policies and clock stay as they are. */
  reset(): void {
    this.#sandbox.reset()
  }

  /** Begins anew from another world, whole or not at all. @throws UsageError with every fault */
  replaceWorld(world: BuiltInWorld | WorldJson): void {
    this.#sandbox.replace(openWorld(world, this.#freeWords))
  }

  /** Goes on with a world that was kept; reset still goes back to where it began. @throws UsageError with every fault */
  resume(world: WorldJson): void {
    this.#sandbox.restore(openWorld(world, this.#freeWords))
  }

  /** Tells of each change of the rows, whoever makes it. @returns what ends the telling */
  onChange(listener: () => void): () => void {
    return this.#sandbox.watchers.add({ written: listener, replaced: listener })
  }

  /** Adds rows, list by list: all of them or none. @throws UsageError with every fault */
  addRows(rows: NewRows): AddedIds {
    return addRows(this.#sandbox, rows)
  }

  /**
   * Another simulator that begins with the rows, policies and clock of this one as they are, keys included:
   * neither sees what the other does from here on. Costs the same at any size.
   *
   * @throws UsageError for what it cannot begin with
   * @example const other = simulator.fork({ profile: 'live' })
   */
  fork(request: Pick<SandboxRequest, 'seed' | 'profile' | 'policies' | 'clock'> = {}): Simulator {
    checkRequest(request, forkFields, 'fork the simulator')
    const sandbox = begin({ loaded: this.#sandbox.snapshot(), like: this.#sandbox }, request)
    return new Simulator(sandbox, this.#base, this.sandboxes.limit)
  }

  /**
   * Replays a scenario in a world of its own: this one stays as it is, and is what the scenario begins with where
   * it names no world, profile or clock.
   *
   * @throws UsageError with every fault of the scenario; then nothing was run
   * @example expect(scenarioReport(await simulator.replay(story))).toContain('7 of 7 steps as expected')
   */
  replay(scenario: Scenario, options: ReplayOptions = {}): Promise<ReplayResult> {
    return replayHere(
      scenario,
      options,
      (beginning) => this.#begun(beginning),
      addressOf(this.#base),
    )
  }

  /**
   * What was asked, as a scenario that happens again in a world that begins the same: as much as the journal keeps.
   * Ids that came from an answer are saved, times are matched, keys go by their labels, personal data is replaced.
   *
   * @throws UsageError for a bad option, and where nothing was asked
   * @example const { scenario, warnings } = simulator.record({ title: 'A launch is announced' })
   */
  record(options: RecordOptions = {}): Recording {
    return recordJournal(this.#sandbox, addressOf({ ...this.#base, prefix: '' }), options)
  }

  get #freeWords(): FreeWord[] {
    return freeWords(this.#sandbox.noted.plain)
  }

  #begun({ world, ...request }: Beginning): Simulator {
    const loaded =
      world === undefined
        ? this.#sandbox.snapshot()
        : typeof world === 'string'
          ? this.sandboxes.rowsOf(world)
          : loadWorld(world, this.#freeWords)
    return new Simulator(begin({ loaded, like: this.#sandbox }, request), this.#base, 0)
  }

  #absolute(input: Request | string | URL): Request | string | URL {
    if (typeof input !== 'string' || !input.startsWith('/')) return input
    return addressOf(this.#base) + input
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
  const { journal, sandboxes, onError = console.error } = options
  const settings = settle(profile, policies)
  const sandbox = new WorldSandbox({
    loaded: seeded(openWorld(world, freeWords(settings)), seed),
    settings,
    clock: new Clock(clock),
    journal,
    report: toReport(onError),
  })
  return new Simulator(sandbox, toBase(baseUrl), sandboxes)
}
