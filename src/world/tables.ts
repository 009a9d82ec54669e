import { entities } from './entities/entities.ts'
import type { ActivityRow, AnnotationRow, PluginRow, Rows, WriteObserver } from './rows.ts'
import { SearchTexts } from './search.ts'
import { KeyedTable, Table } from './table.ts'
import type { CountedList } from './world-json.ts'

/** The rows of each list. */
export type WorldRows = { readonly [List in keyof Rows]: readonly Rows[List][] }

type KeyedLists = 'organizations' | 'keys'

type RowTables = {
  readonly [List in keyof Rows]: List extends KeyedLists
    ? KeyedTable<Rows[List]>
    : Table<Rows[List] & { readonly id: number }>
}

/** All rows of one world. */
export interface Tables extends RowTables {
  readonly texts: ResponseTexts
  readonly searches: SearchTexts<AnnotationRow>
  /** The number of writes to plugins, and the `revision` of the plugin that was written last */
  pluginRevision: number
}

/** Counts a write to a plugin, up to the highest revision that a world file can contain. */
export function nextRevision(tables: Tables): number {
  tables.pluginRevision = Math.min(tables.pluginRevision + 1, Number.MAX_SAFE_INTEGER)
  return tables.pluginRevision
}

/** @param revision the number of earlier writes to plugins */
export function createTables(rows: WorldRows, revision: number): Tables {
  return {
    organizations: new KeyedTable('organizations', rows.organizations, ({ id }) => id),
    projects: new Table(
      { list: 'projects', indexes: ({ organization }) => [ofOrganization(organization)] },
      rows.projects,
    ),
    users: new Table({ list: 'users' }, rows.users),
    keys: new KeyedTable('keys', rows.keys, ({ value }) => value),
    dashboard_items: new Table({ list: 'dashboard_items' }, rows.dashboard_items),
    plugins: new Table({ list: 'plugins', indexes: indexesOfPlugin }, rows.plugins),
    plugin_configs: new Table(
      {
        list: 'plugin_configs',
        indexes: ({ plugin, project }) => [ofPlugin(plugin), ofProject(project)],
      },
      rows.plugin_configs,
    ),
    repository: new Table({ list: 'repository' }, rows.repository),
    annotations: new Table(
      { list: 'annotations', compare: compareAnnotations, indexes: indexesOfAnnotation },
      rows.annotations,
    ),
    activity: new Table(
      { list: 'activity', compare: compareActivity, indexes: indexesOfActivity },
      rows.activity,
    ),
    texts: new ResponseTexts(),
    searches: new SearchTexts(({ content }) => content),
    pluginRevision: revision,
  }
}

/** Creates an independent copy of all tables, in constant time. */
export function forkTables(tables: Tables): Tables {
  return {
    organizations: tables.organizations.fork(),
    projects: tables.projects.fork(),
    users: tables.users.fork(),
    keys: tables.keys.fork(),
    dashboard_items: tables.dashboard_items.fork(),
    plugins: tables.plugins.fork(),
    plugin_configs: tables.plugin_configs.fork(),
    repository: tables.repository.fork(),
    annotations: tables.annotations.fork(),
    activity: tables.activity.fork(),
    texts: tables.texts.fork(),
    searches: tables.searches,
    pluginRevision: tables.pluginRevision,
  }
}

// The names of the indexes within a table.

export function ofProject(id: number | null | undefined): string {
  return `project:${id}`
}

/** The rows of an organization; of annotations only organization-wide ones. */
export function ofOrganization(id: string): string {
  return `organization:${id}`
}

export function ofPlugin(id: number): string {
  return `plugin:${id}`
}

/** The annotations of an index with the deleted ones. */
export function withDeleted(index: string): string {
  return `${index}:with-deleted`
}

/** The plugins of all organizations that are global. */
export const globalPlugins = 'global'

/** The plugins of an organization that are global. */
export function globalPluginsOf(organization: string): string {
  return `${ofOrganization(organization)}:global`
}

/** A global plugin is in two indexes: the global plugins of its organization, and of all organizations. */
function indexesOfPlugin({ organization, is_global }: PluginRow): string[] {
  return is_global ? [globalPluginsOf(organization), globalPlugins] : [ofOrganization(organization)]
}

/** An organization-wide annotation is in the index of its organization, any other in the index of its project. */
function indexesOfAnnotation({
  project,
  organization,
  scope,
  deleted,
}: AnnotationRow): readonly string[] {
  const index = scope === 'organization' ? ofOrganization(organization) : ofProject(project)
  return deleted ? [withDeleted(index)] : [withDeleted(index), index]
}

/** The live service lists the activity of plugins and of their configurations only. */
function indexesOfActivity({ scope, project }: ActivityRow): string[] {
  return scope === 'Plugin' || scope === 'PluginConfig' ? [ofProject(project)] : []
}

/**
 * Seen in the live service: the newest marker comes first, and rows without a marker before all others. Equal markers
 * are ordered by id, the newest first.
 */
export function compareAnnotations(a: AnnotationRow, b: AnnotationRow): number {
  if (a.date_marker === b.date_marker) return b.id - a.id
  if (a.date_marker === null) return -1
  if (b.date_marker === null) return 1
  return compareTimes(b.date_marker, a.date_marker)
}

/** Seen in the live service: the newest entry comes first. */
function compareActivity(a: ActivityRow, b: ActivityRow): number {
  return compareTimes(b.created_at, a.created_at) || b.id - a.id
}

/** Times in UTC are in order as texts, but for their Z: a fraction would come before it. */
function compareTimes(a: string, b: string): number {
  if (a === b) return 0
  return a.slice(0, -1) < b.slice(0, -1) ? -1 : 1
}

/** The lists whose rows are embedded in rows of other lists. */
type EmbeddableTables = Pick<Tables, 'organizations' | 'users' | 'dashboard_items'>

/** The texts of rows as responses have them, until a row that can be embedded changes. Forks share the texts. */
class ResponseTexts {
  #texts = new Map<string, WeakMap<object, string>>()
  #madeWith: readonly object[] = []

  /**
   * The texts that were made with the current embeddable rows. A changed row is another object.
   *
   * @param version what else they depend on
   */
  current(tables: EmbeddableTables, version: string): WeakMap<object, string> {
    const { organizations, users, dashboard_items } = tables
    const madeWith = [organizations.version, users.version, dashboard_items.version]
    if (madeWith.some((part, index) => part !== this.#madeWith[index])) {
      this.#madeWith = madeWith
      this.#texts = new Map()
    }
    const texts = this.#texts.get(version) ?? new WeakMap<object, string>()
    this.#texts.set(version, texts)
    return texts
  }

  fork(): ResponseTexts {
    const copy = new ResponseTexts()
    copy.#texts = this.#texts
    copy.#madeWith = this.#madeWith
    return copy
  }
}

/** The name of a list of rows, as in the world format. */
export type ListName = keyof Rows

/** The lists in the order of a world file: each list comes after the lists that its rows reference. */
export const worldLists: readonly ListName[] = Object.keys(entities) as ListName[]

/** The lists whose ids are counted up. */
export const countedListNames: readonly CountedList[] = worldLists.filter(
  (list): list is CountedList => !['organizations', 'keys', 'repository'].includes(list),
)

/** Tells an observer of each write to these tables. Forks are not observed. */
export function observeTables(tables: Tables, observer: WriteObserver): void {
  for (const list of worldLists) tables[list].observer = observer
}

/** The id of a row; for a key its value. */
export type RowId = number | string

export function rowIdOf(list: ListName, row: object): RowId {
  const { id, value } = row as { id?: RowId; value?: string }
  return (list === 'keys' ? value : id) as RowId
}

/** What the tables of all lists have in common. */
export interface AnyTable {
  readonly size: number
  /** The id of the next row, if ids are counted */
  nextId?: number
  get(id: RowId): object | undefined
  values(): Iterable<object>
  /** Adds a row, or replaces the row with its id. */
  put(row: object): void
  /** @returns false if there is no such row */
  remove(id: RowId): boolean
}

export function tableOf(tables: Tables, list: ListName): AnyTable {
  return tables[list]
}
