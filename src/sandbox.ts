import { Annotations, type World as AnnotationsWorld } from './annotations/annotations.ts'
import type { Sandbox } from './http/sandbox.ts'
import { Throttle } from './http/throttle.ts'
import { PluginExtras } from './plugins/extras.ts'
import { Plugins } from './plugins/plugins.ts'
import type { World as PluginsWorld } from './plugins/world.ts'
import type { PolicySettings } from './policies/policies.ts'
import { Projects, type World as ProjectsWorld } from './projects/projects.ts'
import type { Clock } from './world/clock.ts'
import { type Directory, toDirectory } from './world/directory.ts'
import type { LoadedWorld } from './world/load.ts'
import { forkTables, type Tables } from './world/tables.ts'

/** What the endpoints of the service work with. */
export type World = AnnotationsWorld & PluginsWorld & ProjectsWorld

/** A frozen state of a world's rows. */
export interface Snapshot {
  readonly tables: Tables
}

/** One isolated world: its rows, policies and clock, and the way back to where it began. */
export class WorldSandbox implements Sandbox<World> {
  readonly world: World
  readonly directory: Directory
  readonly clock: Clock
  readonly report: (error: unknown) => void
  settings: PolicySettings
  seed: number
  tables: Tables
  #began: Snapshot
  #worldNow: string | undefined
  #throttle = new Throttle()

  constructor(
    { tables, seed, now }: LoadedWorld,
    settings: PolicySettings,
    clock: Clock,
    report: (error: unknown) => void,
  ) {
    this.tables = tables
    this.seed = seed
    this.#worldNow = now
    this.#began = { tables: forkTables(tables) }
    this.settings = settings
    this.clock = clock
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

  /** The rows as they are; costs the same at any size. */
  snapshot(): Snapshot {
    return { tables: forkTables(this.tables) }
  }

  /** Goes back to a snapshot, as often as wanted. */
  restore(snapshot: Snapshot): void {
    this.tables = forkTables(snapshot.tables)
    this.#throttle = new Throttle()
  }

  /** Goes back to the rows it began with. Policies and clock stay as they are. */
  reset(): void {
    this.restore(this.#began)
  }

  /** Begins anew, from another world. */
  replace({ tables, seed, now }: LoadedWorld): void {
    this.#began = { tables }
    this.seed = seed
    this.#worldNow = now
    this.reset()
  }

  /** The world as it is, as `exportWorld` takes it. */
  get loaded(): LoadedWorld {
    return { tables: this.tables, seed: this.seed, now: this.#worldNow }
  }

  throttle(key: string): number {
    return this.settings['limits.rate'] === 'off' ? 0 : this.#throttle.count(key, this.clock.now())
  }
}
