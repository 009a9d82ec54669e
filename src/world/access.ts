import { countsOf, nextIdsOf } from './counts.ts'
import { exportTexts, exportWorld } from './export.ts'
import { type FoundRows, findRows } from './find-rows.ts'
import { RowAccess } from './row-access.ts'
import type { AccessibleRows, CountedRows, Making } from './row-defaults.ts'
import type { AnnotationQuery, RowQuery } from './row-query.ts'
import { countedStore, organizationStore, type Surroundings } from './row-stores.ts'
import type { OrganizationRow } from './rows.ts'
import { forkTables } from './tables.ts'
import { type Timeline, timelineOf } from './timeline.ts'
import type { WorldJson } from './world-json.ts'

type Access<List extends keyof CountedRows> = RowAccess<CountedRows[List], number>

/** The state of a world, typed, list by list: what tests arrange and look at without a request. */
export class WorldAccess {
  readonly organizations: RowAccess<OrganizationRow, string>
  readonly projects: Access<'projects'>
  readonly users: Access<'users'>
  readonly dashboard_items: Access<'dashboard_items'>
  readonly plugins: Access<'plugins'>
  readonly plugin_configs: Access<'plugin_configs'>
  readonly annotations: Access<'annotations'>
  readonly activity: Access<'activity'>
  readonly #world: Surroundings

  constructor(sandbox: Surroundings['sandbox'], defaults: Making['defaults']) {
    const world = { sandbox, defaults }
    this.#world = world
    this.organizations = new RowAccess(organizationStore(world))
    this.projects = new RowAccess(countedStore('projects', world))
    this.users = new RowAccess(countedStore('users', world))
    this.dashboard_items = new RowAccess(countedStore('dashboard_items', world))
    this.plugins = new RowAccess(countedStore('plugins', world))
    this.plugin_configs = new RowAccess(countedStore('plugin_configs', world))
    this.annotations = new RowAccess(countedStore('annotations', world))
    this.activity = new RowAccess(countedStore('activity', world))
  }

  /** How many rows each list has. */
  get counts(): Record<string, number> {
    return countsOf(this.#world.sandbox.loaded.tables)
  }

  /** What everything generated follows from. */
  get seed(): number {
    return this.#world.sandbox.loaded.seed
  }

  /** The id that the next row of each list gets, where it gives none. */
  get next_ids(): Readonly<Record<keyof CountedRows, number>> {
    return nextIdsOf(this.#world.sandbox.loaded.tables)
  }

  /**
   * A part of a list, in the world format, as copies: annotations newest date_marker first, other rows by id.
   *
   * @throws UsageError that names the field at fault
   * @example simulator.world.find('annotations', { search: 'launch', deleted: false, limit: 10 })
   */
  find<List extends keyof AccessibleRows>(
    list: List,
    query: RowQuery = {},
  ): FoundRows<AccessibleRows[List]> {
    return findRows(list, query, this.#world.sandbox.loaded.tables)
  }

  /** How many annotations lie in which time, scope by scope. @throws UsageError that names the field at fault */
  timeline(query: AnnotationQuery = {}): Timeline {
    return timelineOf(query, this.#world.sandbox.loaded.tables)
  }

  /** The whole world in the world format, as a copy. */
  toJSON(): WorldJson {
    return exportWorld(this.#world.sandbox.loaded)
  }

  /** The same as JSON text, as it is now, in pieces that are quickly made when they are asked for. */
  toTexts(): Iterable<string> {
    const { loaded } = this.#world.sandbox
    return exportTexts({ ...loaded, tables: forkTables(loaded.tables) })
  }
}
