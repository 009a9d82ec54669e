import { flattenString, JsonText } from '../../utils/json.ts'
import { copyAnnotation } from '../entities/annotation.ts'
import { entities } from '../entities/entities.ts'
import type {
  ActivityRow,
  AnnotationRow,
  KeyRow,
  OrganizationRow,
  PluginRow,
  ProjectRow,
  Rows,
  UserRow,
  WriteObserver,
} from '../rows.ts'
import type { CountedList } from '../world-json.ts'
import { KeyedTable, Table, type TableEntry } from './table.ts'
import { foldText } from './text-search.ts'

/** The initial rows of a world, where each list is created on first use. */
export type LazyWorldRows = { readonly [List in keyof Rows]: () => readonly Rows[List][] }

type KeyedLists = 'organizations' | 'keys'

type RowTables = {
  readonly [List in keyof Rows]: List extends KeyedLists
    ? KeyedTable<Rows[List]>
    : Table<Rows[List] & { readonly id: number }>
}

/** All rows of one world. */
export interface Tables extends RowTables {
  readonly embedded: EmbeddedRowsCache
  /** The number of writes to plugins, and the `revision` of the plugin that was written last */
  pluginRevision: number
}

/** Counts a write to a plugin, up to the highest revision that a world file can contain. */
export function nextRevision(tables: Tables): number {
  tables.pluginRevision = Math.min(tables.pluginRevision + 1, Number.MAX_SAFE_INTEGER)
  return tables.pluginRevision
}

/** @param revision the number of earlier writes to plugins */
export function createTables(rows: LazyWorldRows, revision: number): Tables {
  return {
    organizations: new KeyedTable('organizations', rows.organizations(), ({ id }) => id),
    projects: new Table(
      { list: 'projects', indexes: ({ organization }) => [organizationIndex(organization)] },
      rows.projects,
    ),
    users: new Table({ list: 'users' }, rows.users),
    keys: new KeyedTable('keys', rows.keys(), ({ value }) => value),
    dashboard_items: new Table({ list: 'dashboard_items' }, rows.dashboard_items),
    plugins: new Table({ list: 'plugins', indexes: indexesOfPlugin }, rows.plugins),
    plugin_configs: new Table(
      {
        list: 'plugin_configs',
        indexes: ({ plugin, project }) => [pluginIndex(plugin), projectIndex(project)],
      },
      rows.plugin_configs,
    ),
    repository: new Table({ list: 'repository' }, rows.repository),
    annotations: new Table(
      {
        list: 'annotations',
        copy: copyAnnotation,
        rank: rankAnnotation,
        rankedBy: 'date_marker',
        compare: compareAnnotations,
        indexes: annotationIndexes(),
        searchText: annotationSearchText,
      },
      rows.annotations,
    ),
    activity: new Table(
      {
        list: 'activity',
        rank: rankActivity,
        compare: compareActivity,
        indexes: indexesOfActivity,
      },
      rows.activity,
    ),
    embedded: new EmbeddedRowsCache(),
    pluginRevision: revision,
  }
}

/** Creates an independent copy of all tables, in constant time. */
export function forkTables(tables: Tables): Tables {
  // Otherwise each copy would encode its own blocks of rows.
  tables.embedded.current(tables)
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
    embedded: tables.embedded.fork(),
    pluginRevision: tables.pluginRevision,
  }
}

// The names of the indexes within a table.

export function projectIndex(id: number | null | undefined): string {
  return `project:${id}`
}

/** The index of the rows of an organization; for annotations only organization-wide ones. */
export function organizationIndex(id: string): string {
  return `organization:${id}`
}

export function pluginIndex(id: number): string {
  return `plugin:${id}`
}

export function deletedIndex(index: string): string {
  return `${index}:deleted`
}

const globalPluginsIndex = 'global'

function organizationGlobalPluginsIndex(organization: string): string {
  return `${organizationIndex(organization)}:global`
}

/** The indexes of all plugins of an organization. */
export function ownPluginIndexes(organization: string): string[] {
  return [organizationIndex(organization), organizationGlobalPluginsIndex(organization)]
}

/** @param includeForeign whether the organization sees the global plugins of other organizations */
export function visiblePluginIndexes(organization: string, includeForeign: boolean): string[] {
  return [
    organizationIndex(organization),
    includeForeign ? globalPluginsIndex : organizationGlobalPluginsIndex(organization),
  ]
}

/** A global plugin is in two indexes: the global plugins of its organization, and of all organizations. */
function indexesOfPlugin({ organization, is_global }: PluginRow): string[] {
  return is_global
    ? [organizationGlobalPluginsIndex(organization), globalPluginsIndex]
    : [organizationIndex(organization)]
}

/** An organization-wide annotation is in the index of its organization, any other in the index of its project. */
function annotationIndexes(): (row: AnnotationRow) => readonly string[] {
  // Rows with the same indexes as the row before get the same array: a name takes longer than a comparison.
  let [names, before]: [readonly string[], AnnotationRow | null] = [[], null]
  return (row) => {
    const { project, organization, scope, deleted } = row
    const isSame =
      before?.project === project &&
      before.organization === organization &&
      before.scope === scope &&
      before.deleted === deleted
    before = row
    if (isSame) return names
    const index = scope === 'organization' ? organizationIndex(organization) : projectIndex(project)
    names = [deleted ? deletedIndex(index) : index]
    return names
  }
}

/** The live service lists the activity of plugins and of their configurations only. */
function indexesOfActivity({ scope, project }: ActivityRow): string[] {
  return scope === 'Plugin' || scope === 'PluginConfig' ? [projectIndex(project)] : []
}

function annotationSearchText({ content }: AnnotationRow): string | null {
  return content === null ? null : foldText(content)
}

/** Seen in the live service: the newest marker comes first, and rows without a marker before all others. */
function rankAnnotation({ date_marker }: AnnotationRow): number {
  return date_marker === null ? Number.NEGATIVE_INFINITY : -Date.parse(date_marker)
}

/** Orders markers within a millisecond by their microseconds, and equal markers by id, both descending. */
function compareAnnotations(a: AnnotationRow, b: AnnotationRow): number {
  if (a.date_marker === b.date_marker) return b.id - a.id
  return fractionOf(b.date_marker) - fractionOf(a.date_marker)
}

/** The digits of the fraction, as a number. A time has six of them, or none. */
function fractionOf(time: string | null): number {
  return Number(time?.slice(20, -1) ?? 0)
}

/** Seen in the live service: the newest entry comes first. */
function rankActivity({ created_at }: ActivityRow): number {
  return -Date.parse(created_at)
}

/** Orders entries within a millisecond by their microseconds, and equal times by id, both descending. */
function compareActivity(a: ActivityRow, b: ActivityRow): number {
  return fractionOf(b.created_at) - fractionOf(a.created_at) || b.id - a.id
}

/** The lists whose rows are embedded in rows of other lists. */
export type EmbeddableTables = Pick<Tables, 'organizations' | 'users' | 'dashboard_items'>

/** The embedded rows between two changes of any of them. */
export class EmbeddedRows {
  readonly #texts = new Map<object, Map<unknown, JsonText<unknown>>>()

  /** The JSON texts of references by id, as far as they were needed. @param reference which fields they have */
  textsOf(reference: object): Map<unknown, JsonText<unknown>> {
    const known = this.#texts.get(reference)
    if (known) return known
    const texts = new Map<unknown, JsonText<unknown>>()
    this.#texts.set(reference, texts)
    return texts
  }
}

/** How many rows keep their text, and the longest such text in bytes. Few texts, so that an evicted one is freed soon. */
const [maxTexts, maxTextBytes] = [2_048, 1_024]

/** Marks an entry that was sent once. */
const sentOnce: TableEntry<object>['serialized'] = { wire: new JsonText('null'), shown: {} }

/**
 * Limits the memory of the texts that rows keep. A row keeps its text when it is sent for the second time: most texts
 * are never sent again, and then they are freed at once. A further row takes the place of the oldest one.
 */
export class RecentTexts {
  readonly #entries: TableEntry<object>[] = []
  #next = 0

  keep(entry: TableEntry<object>, serialized: NonNullable<TableEntry<object>['serialized']>): void {
    if (serialized.wire.bytes > maxTextBytes) return
    if (entry.serialized) {
      flattenString(serialized.wire.text)
      entry.serialized = serialized
      return
    }
    const oldest = this.#entries[this.#next]
    if (oldest) oldest.serialized = null
    this.#entries[this.#next] = entry
    this.#next = (this.#next + 1) % maxTexts
    entry.serialized = sentOnce
  }
}

/**
 * Detects changes of embedded rows: `current` returns the same object until one of them changes. Forked worlds share
 * the caches, and with them the JSON texts of shared rows.
 */
class EmbeddedRowsCache {
  readonly texts: RecentTexts
  #versions: readonly object[] = []
  #rows = new EmbeddedRows()

  constructor(texts: RecentTexts = new RecentTexts()) {
    this.texts = texts
  }

  current({ organizations, users, dashboard_items }: EmbeddableTables): EmbeddedRows {
    const versions = [organizations.version, users.version, dashboard_items.version]
    if (versions.some((version, index) => version !== this.#versions[index])) {
      this.#versions = versions
      this.#rows = new EmbeddedRows()
    }
    return this.#rows
  }

  fork(): EmbeddedRowsCache {
    const copy = new EmbeddedRowsCache(this.texts)
    copy.#versions = this.#versions
    copy.#rows = this.#rows
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

/** Why sandboxes are missing: they could not be restored, or are elsewhere. */
export interface MissingSandboxes {
  /** Why there is no sandbox with an id, as a part of a sentence */
  reasonOf(id: string): string | undefined
  /** The sandbox that had a key, and why it could not be restored, as a part of a sentence */
  readonly keys: ReadonlyMap<string, string>
}

/** Finds the rows that authentication and authorization need. */
export interface AccountDirectory {
  key(value: string): KeyRow | undefined
  /** Names the sandbox that had a key, if it could not be restored, and says why */
  lostKey?(value: string): string | undefined
  user(id: number): UserRow | undefined
  project(id: number): ProjectRow | undefined
  projectByToken(token: string): ProjectRow | undefined
  organization(id: string): OrganizationRow | undefined
  /** The project of `@current` and of the user's activity; undefined for a user without projects */
  currentProject(user: UserRow): ProjectRow | undefined
  hasDashboardItem(id: number): boolean
}

interface AccountSource {
  readonly tables: Tables
  readonly missing: MissingSandboxes | null
}

/** The directory of a sandbox. It always reads the current tables, because a reset replaces them. */
export class TableDirectory implements AccountDirectory {
  readonly #sandbox: AccountSource

  constructor(sandbox: AccountSource) {
    this.#sandbox = sandbox
  }

  key(value: string): KeyRow | undefined {
    return this.#sandbox.tables.keys.get(value)
  }

  lostKey(value: string): string | undefined {
    return this.#sandbox.missing?.keys.get(value)
  }

  user(id: number): UserRow | undefined {
    return this.#sandbox.tables.users.get(id)
  }

  project(id: number): ProjectRow | undefined {
    return this.#sandbox.tables.projects.get(id)
  }

  projectByToken(token: string): ProjectRow | undefined {
    const projects = this.#sandbox.tables.projects.values()
    return [...projects].find(({ api_token }) => api_token === token)
  }

  organization(id: string): OrganizationRow | undefined {
    return this.#sandbox.tables.organizations.get(id)
  }

  currentProject(user: UserRow): ProjectRow | undefined {
    return currentProject(user, this.#sandbox.tables)
  }

  hasDashboardItem(id: number): boolean {
    return this.#sandbox.tables.dashboard_items.get(id) !== undefined
  }
}

/** The project that the user chose, else the first project of the first organization that has one. */
export function currentProject(user: UserRow, { projects }: Tables): ProjectRow | undefined {
  if (user.current_project !== null) return projects.get(user.current_project)
  for (const organization of user.organizations) {
    const first = projects.list([organizationIndex(organization)]).at(0)
    if (first) return first.row
  }
  return undefined
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
