import { Annotations } from './annotations/annotations.ts'
import type { Beginning, World } from './beginning.ts'
import { Edits } from './history/edits.ts'
import { History } from './history/history.ts'
import type { Sandbox } from './http/sandbox.ts'
import { Throttle } from './http/throttle.ts'
import { Journal } from './journal/journal.ts'
import { PluginExtras } from './plugins/extras.ts'
import { Plugins } from './plugins/plugins.ts'
import { NotedSettings } from './policies/noted.ts'
import type { PolicySettings } from './policies/policies.ts'
import { Projects } from './projects/projects.ts'
import { type Disturbing, type Following, nobody } from './rehearsal.ts'
import type { Clock } from './world/clock.ts'
import { type Directory, toDirectory } from './world/directory.ts'
import type { LoadedWorld } from './world/load.ts'
import { forkTables, type Tables } from './world/tables.ts'
import { watchTables } from './world/watch.ts'
import { Watchers } from './world/watchers.ts'

/** One isolated world: its rows, policies, clock, faults and journal, and the way back to where it began. */
export class WorldSandbox implements Sandbox<World> {
  readonly world: World
  readonly directory: Directory
  readonly clock: Clock
  readonly journal: Journal
  readonly report: (error: unknown) => void
  readonly history: History = new History()
  readonly edits: Edits
  noted: NotedSettings
  seed: number
  faults: Disturbing = nobody
  actors: Following = nobody
  /** 0 for a simulator's own, else its number among the sandboxes beside it. */
  number = 0
  /** How many values for keys were made, and how many when a key was last revoked: those are not made again. */
  issued = 0
  retired = 0
  /** Whether a key leads to a sandbox beside this one. */
  isElsewhere: (key: string) => boolean = () => false
  /** Gives rows that take the place of all there are the keys of this sandbox. */
  keepOwnKeys: (tables: Tables) => void = () => {}
  /** Told of each write after the history, and when other rows have taken the place of all there were. */
  readonly watchers: Watchers = new Watchers()
  #tables!: Tables
  #began: LoadedWorld
  #worldNow: string | undefined
  #throttle = new Throttle()

  constructor({ loaded, settings, clock, journal, report }: Beginning) {
    const { tables, seed, now, issued = 0 } = loaded
    this.#adopt(tables)
    this.seed = seed
    this.issued = this.retired = issued
    this.#worldNow = now
    this.#began = { tables: forkTables(tables), seed, now }
    this.noted = new NotedSettings(settings)
    this.clock = clock
    this.journal = new Journal(journal ?? {}, report)
    this.edits = new Edits(this.journal, this.#began.tables)
    clock.onMove = (from, to) => this.edits.moved(from, to)
    this.report = report
    this.directory = toDirectory(this)
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
    return this.noted.settings
  }

  set settings(settings: PolicySettings) {
    this.noted = new NotedSettings(settings)
  }

  /** The rows as they are; costs the same at any size. */
  snapshot(): LoadedWorld {
    const tables = forkTables(this.tables)
    this.edits.saved(tables)
    return { ...this.loaded, tables }
  }

  /** Where it began, to begin another one there. */
  get began(): LoadedWorld {
    return this.#began
  }

  /** Makes the rows as they are what it goes back to. */
  beginHere(): void {
    this.#began = this.snapshot()
    this.history.clear()
  }

  /** Another sandbox with its own rows, policies and clock; the rest is as here. */
  like(beginning: Pick<Beginning, 'loaded' | 'settings' | 'clock'>): WorldSandbox {
    return new WorldSandbox({ ...beginning, journal: this.journal.limits, report: this.report })
  }

  /** Goes back to a snapshot, as often as wanted. */
  restore(world: LoadedWorld): void {
    const { tables, seed, now, issued = 0 } = world
    this.edits.replaced(world)
    this.seed = seed
    this.#worldNow = now
    this.issued = this.retired = Math.max(this.retired, issued)
    const own = forkTables(tables)
    this.keepOwnKeys(own)
    this.#adopt(own)
    this.#throttle = new Throttle()
    this.watchers.replaced()
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
  beganAs(began: LoadedWorld, { seed, now }: Pick<LoadedWorld, 'seed' | 'now'>): void {
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
      issued: this.retired,
    }
  }

  throttle(key: string): number {
    return this.settings['limits.rate'] === 'off' ? 0 : this.#throttle.count(key, this.clock.now())
  }

  #adopt(tables: Tables): void {
    // The first tables take the place of none.
    this.history.clear(this.#tables?.keys.values())
    this.#tables = tables
    watchTables(tables, (list, before, after) => {
      const { cause } = this.history
      this.history.record(list, before, after)
      if (!('entry' in cause)) this.edits.wrote({ list, before, after }, 'actor' in cause)
      this.watchers.written(list, before, after)
    })
  }
}
