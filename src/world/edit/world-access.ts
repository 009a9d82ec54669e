import type { AccessibleRows, CountedRows, NewRowContext } from '../defaults.ts'
import { exportWorld, exportWorldText } from '../load/export-world.ts'
import type { OrganizationRow } from '../rows.ts'
import { countRows, getNextIds } from '../table/lists.ts'
import { forkTables } from '../table/tables.ts'
import type { WorldJson } from '../world-json.ts'
import {
  type AnnotationQuery,
  buildTimeline,
  type FoundRows,
  findRows,
  type RowQuery,
  type Timeline,
} from './find-rows.ts'
import { RowAccess, type RowAccessContext } from './row-access.ts'

type CountedRowAccess<List extends keyof CountedRows> = RowAccess<CountedRows[List], number>

/** Typed access to all rows of a world, without a request: to arrange and inspect them in tests. */
export class WorldAccess {
  readonly organizations: RowAccess<OrganizationRow, string>
  readonly projects: CountedRowAccess<'projects'>
  readonly users: CountedRowAccess<'users'>
  readonly dashboard_items: CountedRowAccess<'dashboard_items'>
  readonly plugins: CountedRowAccess<'plugins'>
  readonly plugin_configs: CountedRowAccess<'plugin_configs'>
  readonly annotations: CountedRowAccess<'annotations'>
  readonly activity: CountedRowAccess<'activity'>
  readonly #context: RowAccessContext

  constructor(sandbox: RowAccessContext['sandbox'], defaults: NewRowContext['defaults']) {
    const context = { sandbox, defaults }
    this.#context = context
    this.organizations = new RowAccess('organizations', context)
    this.projects = new RowAccess('projects', context)
    this.users = new RowAccess('users', context)
    this.dashboard_items = new RowAccess('dashboard_items', context)
    this.plugins = new RowAccess('plugins', context)
    this.plugin_configs = new RowAccess('plugin_configs', context)
    this.annotations = new RowAccess('annotations', context)
    this.activity = new RowAccess('activity', context)
  }

  get counts(): Record<string, number> {
    return countRows(this.#context.sandbox.loaded.tables)
  }

  /** The seed of generated values. */
  get seed(): number {
    return this.#context.sandbox.loaded.seed
  }

  get next_ids(): Readonly<Record<keyof CountedRows, number>> {
    return getNextIds(this.#context.sandbox.loaded.tables)
  }

  /**
   * Finds rows of a list, in the world format, as copies. Annotations have the newest date_marker first, other rows are
   * ordered by id.
   *
   * @throws UsageError that names the invalid field
   * @example simulator.world.find('annotations', { search: 'launch', deleted: false, limit: 10 })
   */
  find<List extends keyof AccessibleRows>(
    list: List,
    query: RowQuery = {},
  ): FoundRows<AccessibleRows[List]> {
    return findRows(list, query, this.#context.sandbox.loaded.tables)
  }

  /** Counts annotations by time and scope. @throws UsageError that names the invalid field */
  timeline(query: AnnotationQuery = {}): Timeline {
    return buildTimeline(query, this.#context.sandbox.loaded.tables)
  }

  /** Exports the whole world in the world format, as a copy. */
  toJSON(): WorldJson {
    return exportWorld(this.#context.sandbox.loaded)
  }

  /** Exports the current world as JSON text, in chunks that are created on demand. */
  toTexts(): Iterable<string> {
    const { loaded } = this.#context.sandbox
    return exportWorldText({ ...loaded, tables: forkTables(loaded.tables) })
  }
}
