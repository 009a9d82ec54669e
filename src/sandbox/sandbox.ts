import type { ApiHandler } from '../adapters/endpoint-handler.ts'
import { Annotations } from '../api/annotations/annotations.ts'
import type { World } from '../api/endpoints.ts'
import { Plugins } from '../api/plugins/plugins.ts'
import { Projects } from '../api/projects/projects.ts'
import type { EndpointContext, SandboxResolver } from '../http/endpoint.ts'
import { Failure } from '../http/failures.ts'
import type { ApiResponse } from '../http/messages.ts'
import { Throttle } from '../http/throttle.ts'
import type { BaseUrl } from '../http/url.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { overridePolicies, resolvePolicies } from '../policies/settings.ts'
import { TrackedSettings } from '../policies/tracked-settings.ts'
import { LimitError, withFieldPrefix } from '../utils/usage-error.ts'
import { Clock } from '../world/clock/clock.ts'
import type { LoadedWorld } from '../world/load/build-world.ts'
import type { Replica } from '../world/replica.ts'
import {
  type AccountDirectory,
  createAccountDirectory,
  observeTables,
  WorldObservers,
} from '../world/table/lists.ts'
import { forkTables, type Tables } from '../world/table/tables.ts'
import { ChangeHistory } from './history/history.ts'
import type { ActorHook, FaultHook } from './hooks.ts'
import { Journal, type JournalLimits } from './journal/journal.ts'
import type { JournalRecord } from './journal/record.ts'
import { type ForkOptions, withSeed } from './simulator-options.ts'

/** The initial state of a sandbox. */
export interface SandboxOptions {
  readonly loaded: LoadedWorld
  readonly settings: PolicySettings
  readonly clock: Clock
  readonly journal?: JournalLimits | undefined
  /** Called with unexpected exceptions. */
  readonly report: (error: unknown) => void
}

/** Adds a header that explains a response. */
export type ExplainResponse = (
  response: ApiResponse,
  record: JournalRecord,
  sandbox: Sandbox,
) => ApiResponse

/** What leads requests to the sandboxes of a simulator. */
export interface NeighbourHost {
  readonly base: BaseUrl
  readonly resolver: SandboxResolver<Sandbox>
  readonly explain: ExplainResponse | null
}

/** One isolated world: its rows, policies, clock, faults and journal. */
export class Sandbox implements EndpointContext<World> {
  readonly world: World
  readonly directory: AccountDirectory
  readonly clock: Clock
  readonly journal: Journal
  readonly history: ChangeHistory
  readonly report: (error: unknown) => void
  /** Called with a warning about a fault or a second actor that matches no request. */
  warn: (warning: string) => void = (warning) => console.warn(warning)
  /** Notified of each write, after the history, and of each replacement of all rows. */
  readonly observers: WorldObservers = new WorldObservers()
  /** The policies, and which of them were read. Assigning `settings` replaces it. */
  policyTracker: TrackedSettings
  /** The rows. Replaced as a whole by `restore`. */
  tables: Tables
  /** The world that `resetRows` restores. */
  initial: LoadedWorld
  /** The policies that `reset` restores. */
  initialSettings: PolicySettings
  seed: number
  /** Null if there are no fault rules. */
  faults: FaultHook | null = null
  /** Null if no second actor will run again. */
  actors: ActorHook | null = null
  /** Creates the handlers of paths outside the API. */
  neighbours: ((host: NeighbourHost) => readonly ApiHandler[]) | null = null
  /** 0 for the sandbox of a simulator. Sandboxes beside it are numbered from 1. */
  number = 0
  /** Null unless the simulator is served by one of several replicas. */
  replica: Replica | null = null
  /** The fixture or file that is served, if `serve` names it. */
  source: { readonly world?: string } = {}
  /** How many times all rows were replaced. */
  restoreCount = 0
  /** How many key values were generated. */
  issuedKeys = 0
  /** How many key values were generated before a key was last revoked. These values are never issued again. */
  retiredKeys = 0
  /** Whether a key selects another sandbox. Replaced by the registry of sandboxes. */
  isTakenElsewhere: (key: string) => boolean = () => false
  /** Adds keys of this sandbox to rows that are about to replace its own. Replaced by the registry of sandboxes. */
  addOwnKeys: (tables: Tables) => void = () => {}
  /** Called with the time before the clock was changed. Replaced by the registry of sandboxes. */
  onClockChange: (now: number) => void = () => {}
  #worldNow: string | undefined
  #throttle = new Throttle()

  constructor({ loaded, settings, clock, journal, report }: SandboxOptions) {
    const { tables, seed, now, issued = 0 } = loaded
    this.tables = tables
    this.initial = { tables: forkTables(tables), seed, now }
    this.#worldNow = now
    this.seed = seed
    this.issuedKeys = this.retiredKeys = issued
    this.initialSettings = settings
    this.policyTracker = new TrackedSettings(settings)
    this.clock = clock
    this.report = report
    this.journal = new Journal(journal ?? {}, report)
    this.history = new ChangeHistory(this.journal, this.initial.tables)
    clock.onChange = (from, to) => {
      this.history.recordClockChange(from, to)
      this.onClockChange(Date.parse(from.now))
    }
    this.#observe(tables)
    this.directory = createAccountDirectory(this)
    this.world = {
      annotations: new Annotations(this),
      plugins: new Plugins(this),
      projects: new Projects(this),
    }
  }

  /** The policies. Reading one of them is tracked for the journal. */
  get settings(): PolicySettings {
    return this.policyTracker.settings
  }

  set settings(settings: PolicySettings) {
    this.policyTracker = new TrackedSettings(settings)
  }

  /** The rows, the seed and the date of the world, without a copy. */
  get loaded(): LoadedWorld {
    const { tables, seed, retiredKeys: issued } = this
    return { tables, seed, now: this.#worldNow, issued }
  }

  /** Takes a snapshot of the world, in constant time. */
  snapshot(): LoadedWorld {
    const tables = forkTables(this.tables)
    this.history.recordSnapshot(tables)
    return { ...this.loaded, tables }
  }

  /** Restores a snapshot. A snapshot can be restored any number of times. */
  restore(world: LoadedWorld): void {
    const { tables, seed, now, issued = 0 } = world
    this.history.recordReplacement(world, this.tables.keys.values())
    this.restoreCount += 1
    this.seed = seed
    this.#worldNow = now
    this.issuedKeys = this.retiredKeys = Math.max(this.retiredKeys, issued)
    const copy = forkTables(tables)
    this.addOwnKeys(copy)
    this.tables = copy
    this.#observe(copy)
    this.#throttle = new Throttle()
    this.observers.rowsReplaced()
  }

  /** Restores the initial rows. Policies and clock stay. */
  resetRows(): void {
    this.restore(this.initial)
  }

  /** Replaces the world, and the rows that `resetRows` restores. */
  replace(world: LoadedWorld): void {
    this.initial = world
    this.resetRows()
  }

  /** Makes the current rows the ones that `resetRows` restores. */
  setInitial(): void {
    this.initial = { ...this.loaded, tables: forkTables(this.tables) }
    this.history.restart(this.initial.tables)
  }

  /**
   * Creates a sandbox with other rows. Policies and clock default to copies of those of this sandbox.
   *
   * @throws UsageError for an invalid option
   */
  fork(
    loaded: LoadedWorld,
    { seed, profile, policies = {}, clock }: Omit<ForkOptions, 'asOf'> = {},
  ): Sandbox {
    const settings = profile === undefined ? this.policyTracker.untracked : resolvePolicies(profile)
    const copy = new Sandbox({
      loaded: withSeed(loaded, seed),
      settings: withFieldPrefix('policies', () => overridePolicies(settings, policies)),
      clock:
        clock === undefined ? this.clock.fork() : withFieldPrefix('clock', () => new Clock(clock)),
      journal: this.journal.limits,
      report: this.report,
    })
    copy.warn = this.warn
    copy.neighbours = this.neighbours
    copy.replica = this.replica
    return copy
  }

  throttle(key: string): number {
    if (this.settings['limits.rate'] === 'off') return 0
    return this.#throttle.countRequest(key, this.clock.now())
  }

  toFailure(error: unknown): Failure | null {
    return error instanceof LimitError ? new Failure('validation_error', error.message) : null
  }

  #observe(tables: Tables): void {
    observeTables(tables, (list, before, after) => {
      this.history.recordWrite(list, before, after)
      this.observers.rowWritten(list, before, after)
    })
  }
}
