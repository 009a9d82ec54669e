import { createDefaults, type Defaults } from '../world/defaults.ts'
import { addRows } from '../world/edit/add-rows.ts'
import type { AddedIds, NewRows } from '../world/edit/row-changes.ts'
import { WorldAccess } from '../world/edit/world-access.ts'
import { Keys } from '../world/keys.ts'
import type { BuiltInWorld } from '../world/load/build-world.ts'
import { Snapshot } from '../world/load/build-world.ts'
import { openWorld } from '../world/load/load-world.ts'
import { uncheckedFields } from '../world/world-format.ts'
import type { WorldJson } from '../world/world-json.ts'
import { findProvenance, type RowProvenance } from './history/provenance.ts'
import type { Sandbox } from './sandbox.ts'
import { Snapshots } from './snapshots.ts'

/** What of a simulator is its world: the rows and keys, and where they go back to. */
export class SimulatorBase {
  readonly keys: Keys
  readonly defaults: Defaults
  /** Named states to come back to. */
  readonly snapshots: Snapshots
  #world: WorldAccess | null = null
  readonly #sandbox: Sandbox

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox
    this.keys = new Keys(sandbox)
    this.defaults = createDefaults(sandbox)
    this.snapshots = new Snapshots(sandbox)
  }

  /** What a simulator is made of: for what is loaded only where somebody wants it. */
  static sandboxOf(simulated: SimulatorBase): Sandbox {
    return simulated.#sandbox
  }

  /** The rows of the world, typed, without a request. */
  get world(): WorldAccess {
    this.#world ??= new WorldAccess(this.#sandbox, this.defaults)
    return this.#world
  }

  /**
   * Which request, second actor or edit each field of a row comes from; of one that was taken out, what it was.
   *
   * @param resource the name of a list, or of one row of it: `annotations` or `annotation`
   * @returns undefined for a row that never was, as far as is known
   * @throws UsageError for an unknown list
   * @example simulator.why('annotation', 3)?.fields
   */
  why(resource: string, id: number | string): RowProvenance | undefined {
    return findProvenance(resource, id, this.#sandbox)
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
    this.#sandbox.replace(openWorld(world, uncheckedFields(this.#sandbox.noted.untracked)))
  }

  /** Goes on with a world that was kept; reset still goes back to where it began. @throws UsageError with every fault */
  resume(world: WorldJson): void {
    this.#sandbox.restore(openWorld(world, uncheckedFields(this.#sandbox.noted.untracked)))
  }

  /** Tells of each change of the rows, whoever makes it. @returns what ends the telling */
  onChange(listener: () => void): () => void {
    return this.#sandbox.watchers.add({ rowWritten: listener, rowsReplaced: listener })
  }

  /** Adds rows, list by list: all of them or none. @throws UsageError with every fault */
  addRows(rows: NewRows): AddedIds {
    return addRows(this.#sandbox, rows)
  }
}
