import type * as z from 'zod'
import type { Clock } from './clock.ts'
import { hasRow } from './exists.ts'
import { exportWorld } from './export.ts'
import type { LoadedWorld } from './load.ts'
import { missingReferences, type NamedList, rowsNaming } from './references.ts'
import { RowAccess, type RowStore } from './row-access.ts'
import { type AccessibleRows, type Making, rowDefaults } from './row-defaults.ts'
import type { OrganizationRow } from './rows.ts'
import { dashboardItem, organization, project, user } from './schema/people.ts'
import { activity, plugin, pluginConfig } from './schema/plugins.ts'
import { annotation } from './schema/world.ts'
import type { Table } from './table.ts'
import type { Tables } from './tables.ts'
import type { CountedList, WorldJson } from './world-json.ts'

/** What is looked into; its tables are another object after a reset. */
interface Surroundings {
  readonly sandbox: { readonly loaded: LoadedWorld; readonly clock: Clock }
  /** Where a row goes that does not say. */
  readonly defaults: Making['defaults']
}

type CountedRows = Omit<AccessibleRows, 'organizations'>
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
    this.projects = new RowAccess(countedStore('projects', project, world))
    this.users = new RowAccess(countedStore('users', user, world))
    this.dashboard_items = new RowAccess(countedStore('dashboard_items', dashboardItem, world))
    this.plugins = new RowAccess(countedStore('plugins', plugin, world))
    this.plugin_configs = new RowAccess(countedStore('plugin_configs', pluginConfig, world))
    this.annotations = new RowAccess(countedStore('annotations', annotation, world))
    this.activity = new RowAccess(countedStore('activity', activity, world))
  }

  /** The whole world in the world format. */
  toJSON(): WorldJson {
    return exportWorld(this.#world.sandbox.loaded)
  }
}

/** A list whose ids are counted. */
function countedStore<List extends keyof CountedRows>(
  list: List,
  schema: z.ZodType<CountedRows[List]>,
  world: Surroundings,
): RowStore<CountedRows[List], number> {
  type Row = CountedRows[List]
  const table = () => world.sandbox.loaded.tables[list] as unknown as Table<Row>
  const stored = (row: Row) => toStored(list, row, world.sandbox.loaded.tables)
  return {
    ...checks<Row, number>(list, world),
    schema,
    get size() {
      return table().size
    },
    get: (id) => fromStored(list, table().get(id)),
    values: () => [...table().values()].map((row) => fromStored(list, row) as Row),
    insert: (row) => table().insert(stored(row)),
    replace: (row) => table().replace(stored(row)),
    remove: (id) => table().remove(id),
    defaults: () => rowDefaults[list]({ ...making(world), id: table().nextId }) as Partial<Row>,
    idOf: ({ id }) => id,
  }
}

function organizationStore(world: Surroundings): RowStore<OrganizationRow, string> {
  const rows = () => world.sandbox.loaded.tables.organizations
  return {
    ...checks<OrganizationRow, string>('organizations', world),
    schema: organization,
    get size() {
      return rows().size
    },
    get: (id) => rows().get(id),
    values: () => rows().values(),
    insert: (row) => rows().set(row),
    replace: (row) => rows().set(row),
    remove: (id) => rows().delete(id),
    defaults: () => rowDefaults.organizations({ ...making(world), id: rows().size + 1 }),
    idOf: ({ id }) => id,
  }
}

function checks<Row extends object, Id extends number | string>(
  list: keyof AccessibleRows,
  world: Surroundings,
): Pick<RowStore<Row, Id>, 'list' | 'missing' | 'naming'> {
  const exists = (target: NamedList, id: number | string) =>
    hasRow(world.sandbox.loaded.tables, target, id)
  const rows = (other: string) => world.sandbox.loaded.tables[other as CountedList].values()
  return {
    list,
    missing: (row) => missingReferences(list, row, exists),
    naming: (id) => rowsNaming(list, id, rows),
  }
}

function making({ sandbox, defaults }: Surroundings): Omit<Making, 'id'> {
  return { seed: sandbox.loaded.seed, clock: sandbox.clock, defaults }
}

/** A stored annotation knows its organization besides, since lists are kept by it. */
function toStored<Row>(list: string, row: Row, { projects }: Tables): Row {
  if (list !== 'annotations') return row
  const { organization } = projects.get((row as { project: number }).project) ?? {}
  return { ...row, organization }
}

function fromStored<Row>(list: string, row: Row | undefined): Row | undefined {
  if (list !== 'annotations' || row === undefined) return row
  const { organization: _, ...json } = row as Row & { organization?: string }
  return json as Row
}
