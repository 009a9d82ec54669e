import { Annotations } from '../api/annotations/annotations.ts'
import type { World } from '../api/endpoints.ts'
import { PluginExtras } from '../api/plugins/plugin-extras.ts'
import { Plugins } from '../api/plugins/plugins.ts'
import { Projects } from '../api/projects/projects.ts'
import type { EndpointContext } from '../http/context.ts'
import { Throttle } from '../http/throttle.ts'
import type { PolicySettings } from '../policies/policies.ts'
import { TrackedSettings } from '../policies/tracked-settings.ts'
import type { Clock } from '../world/clock/clock.ts'
import type { LoadedWorld } from '../world/load/build-world.ts'
import { observeTables, WorldObservers } from '../world/table/lists.ts'
import { type AccountDirectory, createAccountDirectory } from '../world/table/row-lookup.ts'
import { forkTables, type Tables } from '../world/table/tables.ts'
import { EditLog } from './history/edit-log.ts'
import { ChangeHistory } from './history/history.ts'
import { type ActorHook, type FaultHook, noHooks } from './hooks.ts'
import { Journal, type JournalLimits } from './journal/journal.ts'

/** What a sandbox starts with. */
export interface SandboxOptions {
  readonly loaded: LoadedWorld
  readonly settings: PolicySettings
  readonly clock: Clock
  readonly journal?: JournalLimits | undefined
  /** Called with exceptions from inside. */
  readonly report: (error: unknown) => void
}

/** One isolated world: its rows, policies, clock, faults and journal, and the way back to where it began. */
export class Sandbox implements EndpointContext<World> {
  readonly world: World
  readonly directory: AccountDirectory
  readonly clock: Clock
  readonly journal: Journal
  readonly report: (error: unknown) => void
  readonly history: ChangeHistory = new ChangeHistory()
  readonly edits: EditLog
  policyTracker: TrackedSettings
  seed: number
  faults: FaultHook = noHooks
  actors: ActorHook = noHooks
  /** 0 for a simulator's own, else its number among the sandboxes beside it. */
  number = 0
  /** How many values for keys were made, and how many when a key was last revoked: those are not made again. */
  issuedKeys = 0
  retiredKeys = 0
  /** Whether a key leads to a sandbox beside this one. */
  isTakenElsewhere: (key: string) => boolean = () => false
  /** Gives rows that take the place of all there are the keys of this sandbox. */
  addOwnKeys: (tables: Tables) => void = () => {}
  /** Told of each write after the history, and when other rows have taken the place of all there were. */
  readonly observers: WorldObservers = new WorldObservers()
  #tables!: Tables
  #began: LoadedWorld
  #worldNow: string | undefined
  #throttle = new Throttle()

  constructor({ loaded, settings, clock, journal, report }: SandboxOptions) {
    const { tables, seed, now, issued = 0 } = loaded
    this.#adopt(tables)
    this.seed = seed
    this.issuedKeys = this.retiredKeys = issued
    this.#worldNow = now
    this.#began = { tables: forkTables(tables), seed, now }
    this.policyTracker = new TrackedSettings(settings)
    this.clock = clock
    this.journal = new Journal(journal ?? {}, report)
    this.edits = new EditLog(this.journal, this.#began.tables)
    clock.onChange = (from, to) => this.edits.recordClockChange(from, to)
    this.report = report
    this.directory = createAccountDirectory(this)
    const plugins = new Plugins(this)
    this.world = {
      annotations: new Annotations(this),
      plugins,
      extras: new PluginExtras(this, plugins),
      projects: new Projects(this),
    }
  }

  get tables(): Tables {
    return this.#tables
  }

  /** The settings; what is read of them is noted for the journal. */
  get settings(): PolicySettings {
    return this.policyTracker.settings
  }

  set settings(settings: PolicySettings) {
    this.policyTracker = new TrackedSettings(settings)
  }

  /** The rows as they are; costs the same at any size. */
  snapshot(): LoadedWorld {
    const tables = forkTables(this.tables)
    this.edits.recordSnapshot(tables)
    return { ...this.loaded, tables }
  }

  /** Where it began, to begin another one there. */
  get initial(): LoadedWorld {
    return this.#began
  }

  /** Makes the rows as they are what it goes back to. */
  setInitial(): void {
    this.#began = this.snapshot()
    this.history.clear()
  }

  /** Another sandbox with its own rows, policies and clock; the rest is as here. */
  like(beginning: Pick<SandboxOptions, 'loaded' | 'settings' | 'clock'>): Sandbox {
    return new Sandbox({ ...beginning, journal: this.journal.limits, report: this.report })
  }

  /** Goes back to a snapshot, as often as wanted. */
  restore(world: LoadedWorld): void {
    const { tables, seed, now, issued = 0 } = world
    this.edits.recordReplacement(world)
    this.seed = seed
    this.#worldNow = now
    this.issuedKeys = this.retiredKeys = Math.max(this.retiredKeys, issued)
    const own = forkTables(tables)
    this.addOwnKeys(own)
    this.#adopt(own)
    this.#throttle = new Throttle()
    this.observers.rowsReplaced()
  }

  /** Goes back to the rows it began with. Policies and clock stay as they are. */
  reset(): void {
    this.restore(this.#began)
  }

  /** Begins anew, from another world. */
  replace(world: LoadedWorld): void {
    this.#began = world
    this.reset()
  }

  /** Has begun otherwise: with the rows that reset goes back to, and what is generated follows from. */
  startedAs(began: LoadedWorld, { seed, now }: Pick<LoadedWorld, 'seed' | 'now'>): void {
    this.#began = began
    this.seed = seed
    this.#worldNow = now
  }

  /** The world as it is, as `exportWorld` takes it. */
  get loaded(): LoadedWorld {
    return {
      tables: this.tables,
      seed: this.seed,
      now: this.#worldNow,
      issued: this.retiredKeys,
    }
  }

  throttle(key: string): number {
    return this.settings['limits.rate'] === 'off'
      ? 0
      : this.#throttle.countRequest(key, this.clock.now())
  }

  #adopt(tables: Tables): void {
    // The first tables take the place of none.
    this.history.clear(this.#tables?.keys.values())
    this.#tables = tables
    observeTables(tables, (list, before, after) => {
      const { cause } = this.history
      this.history.record(list, before, after)
      if (!('entry' in cause)) this.edits.recordWrite({ list, before, after }, 'actor' in cause)
      this.observers.rowWritten(list, before, after)
    })
  }
}
