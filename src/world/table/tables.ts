import type {
  ActivityRow,
  AnnotationRow,
  DashboardItemRow,
  KeyRow,
  OrganizationRow,
  PluginConfigRow,
  PluginRow,
  ProjectRow,
  RepositoryRow,
  UserRow,
} from '../rows.ts'
import { EmbeddedRowsCache } from './entry.ts'
import { KeyedTable } from './keyed-table.ts'
import { Table } from './table.ts'
import { foldText } from './text-search.ts'

/** The rows a world begins with. */
export interface WorldRows {
  readonly organizations: readonly OrganizationRow[]
  readonly projects: readonly ProjectRow[]
  readonly users: readonly UserRow[]
  readonly keys: readonly KeyRow[]
  readonly dashboard_items: readonly DashboardItemRow[]
  readonly plugins: readonly PluginRow[]
  readonly plugin_configs: readonly PluginConfigRow[]
  readonly repository: readonly RepositoryRow[]
  readonly annotations: readonly AnnotationRow[]
  readonly activity: readonly ActivityRow[]
}

/** The same, each list made when its rows are first asked for. */
export type LazyWorldRows = { readonly [List in keyof WorldRows]: () => WorldRows[List] }

/** All rows of one world. Forking it costs the same at any size. */
export interface Tables {
  readonly organizations: KeyedTable<OrganizationRow>
  readonly projects: Table<ProjectRow>
  readonly users: Table<UserRow>
  readonly keys: KeyedTable<KeyRow>
  readonly dashboard_items: Table<DashboardItemRow>
  readonly plugins: Table<PluginRow>
  readonly plugin_configs: Table<PluginConfigRow>
  readonly repository: Table<RepositoryRow>
  readonly annotations: Table<AnnotationRow>
  readonly activity: Table<ActivityRow>
  readonly embedded: EmbeddedRowsCache
  /** How often plugins were written: what their `revision` is taken from */
  pluginRevision: number
}

/** @param revision how often plugins were written before */
export function createTables(rows: LazyWorldRows, revision: number): Tables {
  return {
    organizations: new KeyedTable(rows.organizations(), ({ id }) => id),
    projects: new Table(
      { indexes: ({ organization }) => [organizationIndex(organization)] },
      rows.projects,
    ),
    users: new Table({}, rows.users),
    keys: new KeyedTable(rows.keys(), ({ value }) => value),
    dashboard_items: new Table({}, rows.dashboard_items),
    plugins: new Table({ indexes: indexesOfPlugin }, rows.plugins),
    plugin_configs: new Table(
      { indexes: ({ plugin, project }) => [pluginIndex(plugin), projectIndex(project)] },
      rows.plugin_configs,
    ),
    repository: new Table({ indexes: () => ['all'] }, rows.repository),
    annotations: new Table(
      {
        normalize: normalizeAnnotation,
        rank: rankAnnotation,
        rankedBy: 'date_marker',
        compare: compareAnnotations,
        indexes: indexesOfAnnotation,
        searchText: annotationSearchText,
      },
      rows.annotations,
    ),
    activity: new Table(
      { rank: rankActivity, compare: compareActivity, indexes: indexesOfActivity },
      rows.activity,
    ),
    embedded: new EmbeddedRowsCache(),
    pluginRevision: revision,
  }
}

/** A world of its own with the same rows. */
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
    embedded: tables.embedded.fork(),
    pluginRevision: tables.pluginRevision,
  }
}

// The names of the lists within a table, as rows say in which they stand and readers ask for them.

/** The rows of a project; null: of none. */
export function projectIndex(id: number | null | undefined): string {
  return `project:${id}`
}

/** The rows of an organization; of plugins and annotations, those of the organization itself. */
export function organizationIndex(id: string): string {
  return `organization:${id}`
}

/** The configurations of a plugin. */
export function pluginIndex(id: number): string {
  return `plugin:${id}`
}

/** The deleted annotations that would stand in a list. */
export function deletedIndex(list: string): string {
  return `${list}:deleted`
}

/** The global plugins of every organization. */
const globalPluginsIndex = 'global'

/** The global plugins of an organization. */
function organizationGlobalPluginsIndex(organization: string): string {
  return `${organizationIndex(organization)}:global`
}

/** All plugins that an organization has. */
export function ownPluginIndexes(organization: string): string[] {
  return [organizationIndex(organization), organizationGlobalPluginsIndex(organization)]
}

/** All plugins that an organization sees. @param everyones with the global ones of the others */
export function visiblePluginIndexes(organization: string, everyones: boolean): string[] {
  return [
    organizationIndex(organization),
    everyones ? globalPluginsIndex : organizationGlobalPluginsIndex(organization),
  ]
}

/** A global plugin stands in two lists: its organization's global ones, and all that are global. */
function indexesOfPlugin({ organization, is_global }: PluginRow): string[] {
  return is_global
    ? [organizationGlobalPluginsIndex(organization), globalPluginsIndex]
    : [organizationIndex(organization)]
}

/** Rows come from files, from bodies and from changes: with one order of fields the engine reads all of them alike. */
function normalizeAnnotation(row: AnnotationRow): AnnotationRow {
  return {
    id: row.id,
    content: row.content,
    date_marker: row.date_marker,
    creation_type: row.creation_type,
    dashboard_item: row.dashboard_item,
    created_by: row.created_by,
    created_at: row.created_at,
    updated_at: row.updated_at,
    deleted: row.deleted,
    scope: row.scope,
    project: row.project,
    organization: row.organization,
  }
}

/**
 * An annotation stands in one list: its organization's where it is organization-wide, else its project's.
 * Deleted ones have lists of their own.
 */
function indexesOfAnnotation({ project, organization, scope, deleted }: AnnotationRow): string[] {
  const list = scope === 'organization' ? organizationIndex(organization) : projectIndex(project)
  return [deleted ? deletedIndex(list) : list]
}

/** The log that is shown tells of plugins and their configurations only (observed §5.6). */
function indexesOfActivity({ scope, project }: ActivityRow): string[] {
  return scope === 'Plugin' || scope === 'PluginConfig' ? [projectIndex(project)] : []
}

function annotationSearchText({ content }: AnnotationRow): string | null {
  return content === null ? null : foldText(content)
}

/** Newest marker first, rows without one before all others (observed §4.1). */
function rankAnnotation({ date_marker }: AnnotationRow): number {
  return date_marker === null ? Number.NEGATIVE_INFINITY : -Date.parse(date_marker)
}

/** Markers of one millisecond by their microseconds; one and the same by id, the newest first. */
function compareAnnotations(a: AnnotationRow, b: AnnotationRow): number {
  if (a.date_marker === b.date_marker) return b.id - a.id
  return fractionOf(b.date_marker) - fractionOf(a.date_marker)
}

/** Of a time that has six digits of fraction, or none. */
function fractionOf(time: string | null): number {
  return Number(time?.slice(20, -1) ?? 0)
}

/** The newest entry first (observed §5.6). */
function rankActivity({ created_at }: ActivityRow): number {
  return -Date.parse(created_at)
}

/** Entries of one millisecond by their microseconds; of one and the same time by id, the newest first. */
function compareActivity(a: ActivityRow, b: ActivityRow): number {
  return fractionOf(b.created_at) - fractionOf(a.created_at) || b.id - a.id
}
