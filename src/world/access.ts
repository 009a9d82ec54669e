import type { Clock } from './clock.ts'
import { completeOrganization } from './complete.ts'
import { hasRow } from './exists.ts'
import { exportWorld } from './export.ts'
import { countedLists } from './lists.ts'
import type { LoadedWorld } from './load.ts'
import { missingReferences, type NamedList, rowsNaming } from './references.ts'
import { RowAccess, type RowStore } from './row-access.ts'
import { type CountedRows, type Making, rowDefaults } from './row-defaults.ts'
import type { OrganizationRow } from './rows.ts'
import { organization } from './schema/people.ts'
import type { Table } from './table.ts'
import type { CountedList, WorldJson } from './world-json.ts'

/** What is looked into; its tables are another object after a reset. */
interface Surroundings {
  readonly sandbox: { readonly loaded: LoadedWorld; readonly clock: Clock }
  /** Where a row goes that does not say. */
  readonly defaults: Making['defaults']
}

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
    const { organizations, projects, users, dashboard_items } = this
    const { plugins, plugin_configs, annotations, activity } = this
    const lists = {
      organizations,
      projects,
      users,
      dashboard_items,
      plugins,
      plugin_configs,
      annotations,
      activity,
    }
    return Object.fromEntries(Object.entries(lists).map(([list, rows]) => [list, rows.count]))
  }

  /** The whole world in the world format. */
  toJSON(): WorldJson {
    return exportWorld(this.#world.sandbox.loaded)
  }
}

/** A list whose ids are counted. */
function countedStore<List extends keyof CountedRows>(
  list: List,
  world: Surroundings,
): RowStore<CountedRows[List], number> {
  type Row = CountedRows[List]
  const { schema, toRow, toJson } = countedLists[list]
  const table = () => world.sandbox.loaded.tables[list] as unknown as Table<{ id: number }>
  const stored = (row: Row) => toRow(row as never, world.sandbox.loaded.tables)
  const json = (row: object) => toJson(row as never) as Row
  return {
    ...relations<Row, number>(list, world),
    list,
    schema,
    get size() {
      return table().size
    },
    get(id) {
      const row = table().get(id)
      return row && json(row)
    },
    values: () => [...table().values()].map(json),
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
    ...relations<OrganizationRow, string>('organizations', world),
    list: 'organizations',
    schema: organization,
    get size() {
      return rows().size
    },
    get: (id) => rows().get(id),
    values: () => rows().values(),
    insert: (row) => rows().set(completeOrganization(row)),
    replace: (row) => rows().set(row),
    remove: (id) => rows().delete(id),
    defaults: () => rowDefaults.organizations({ ...making(world), id: rows().size + 1 }),
    idOf: ({ id }) => id,
  }
}

/** What a row names, and what names it. */
function relations<Row extends object, Id extends number | string>(
  list: string,
  { sandbox }: Surroundings,
): Pick<RowStore<Row, Id>, 'missing' | 'naming'> {
  const exists = (target: NamedList, id: number | string) =>
    hasRow(sandbox.loaded.tables, target, id)
  const rows = (other: string) => sandbox.loaded.tables[other as CountedList].values()
  return {
    missing: (row) => missingReferences(list, row, exists),
    naming: (id) => rowsNaming(list, id, rows),
  }
}

function making({ sandbox, defaults }: Surroundings): Omit<Making, 'id'> {
  return { seed: sandbox.loaded.seed, clock: sandbox.clock, defaults }
}
