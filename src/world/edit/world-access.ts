import type { AccessibleRows, CountedRows, NewRowContext } from '../defaults.ts'
import { exportWorld, exportWorldText } from '../load/export-world.ts'
import type { OrganizationRow } from '../rows.ts'
import { countRows, getNextIds } from '../table/lists.ts'
import { forkTables } from '../table/tables.ts'
import type { WorldJson } from '../world-json.ts'
import type { AnnotationQuery, RowQuery } from './find-rows.ts'
import { type FoundRows, findRows } from './find-rows.ts'
import { RowAccess } from './row-access.ts'
import { createCountedStore, createOrganizationStore, type RowStoreContext } from './row-stores.ts'
import { buildTimeline, type Timeline } from './timeline.ts'

type CountedRowAccess<List extends keyof CountedRows> = RowAccess<CountedRows[List], number>

/** The state of a world, typed, list by list: what tests arrange and look at without a request. */
export class WorldAccess {
  readonly organizations: RowAccess<OrganizationRow, string>
  readonly projects: CountedRowAccess<'projects'>
  readonly users: CountedRowAccess<'users'>
  readonly dashboard_items: CountedRowAccess<'dashboard_items'>
  readonly plugins: CountedRowAccess<'plugins'>
  readonly plugin_configs: CountedRowAccess<'plugin_configs'>
  readonly annotations: CountedRowAccess<'annotations'>
  readonly activity: CountedRowAccess<'activity'>
  readonly #context: RowStoreContext

  constructor(sandbox: RowStoreContext['sandbox'], defaults: NewRowContext['defaults']) {
    const world = { sandbox, defaults }
    this.#context = world
    this.organizations = new RowAccess(createOrganizationStore(world))
    this.projects = new RowAccess(createCountedStore('projects', world))
    this.users = new RowAccess(createCountedStore('users', world))
    this.dashboard_items = new RowAccess(createCountedStore('dashboard_items', world))
    this.plugins = new RowAccess(createCountedStore('plugins', world))
    this.plugin_configs = new RowAccess(createCountedStore('plugin_configs', world))
    this.annotations = new RowAccess(createCountedStore('annotations', world))
    this.activity = new RowAccess(createCountedStore('activity', world))
  }

  /** How many rows each list has. */
  get counts(): Record<string, number> {
    return countRows(this.#context.sandbox.loaded.tables)
  }

  /** What everything generated follows from. */
  get seed(): number {
    return this.#context.sandbox.loaded.seed
  }

  /** The id that the next row of each list gets, where it gives none. */
  get next_ids(): Readonly<Record<keyof CountedRows, number>> {
    return getNextIds(this.#context.sandbox.loaded.tables)
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
    return findRows(list, query, this.#context.sandbox.loaded.tables)
  }

  /** How many annotations lie in which time, scope by scope. @throws UsageError that names the field at fault */
  timeline(query: AnnotationQuery = {}): Timeline {
    return buildTimeline(query, this.#context.sandbox.loaded.tables)
  }

  /** The whole world in the world format, as a copy. */
  toJSON(): WorldJson {
    return exportWorld(this.#context.sandbox.loaded)
  }

  /** The same as JSON text, as it is now, in pieces that are quickly made when they are asked for. */
  toTexts(): Iterable<string> {
    const { loaded } = this.#context.sandbox
    return exportWorldText({ ...loaded, tables: forkTables(loaded.tables) })
  }
}
