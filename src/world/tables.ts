import { Dictionary } from './dictionary.ts'
import { fold } from './fold.ts'
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
} from './rows.ts'
import { Stamp } from './stamp.ts'
import { Table } from './table.ts'

/** The rows a world begins with. */
export interface Rows {
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

/** All rows of one world. Forking it costs the same at any size. */
export interface Tables {
  readonly organizations: Dictionary<OrganizationRow>
  readonly projects: Table<ProjectRow>
  readonly users: Table<UserRow>
  readonly keys: Dictionary<KeyRow>
  readonly dashboard_items: Table<DashboardItemRow>
  readonly plugins: Table<PluginRow>
  readonly plugin_configs: Table<PluginConfigRow>
  readonly repository: Table<RepositoryRow>
  readonly annotations: Table<AnnotationRow>
  readonly activity: Table<ActivityRow>
  readonly stamp: Stamp
  /** How often plugins were written: what their `revision` is taken from */
  revision: number
}

export function toTables(rows: Rows): Tables {
  return {
    organizations: new Dictionary(rows.organizations, ({ id }) => id),
    projects: new Table(
      { lists: ({ organization }) => [`organization:${organization}`] },
      rows.projects,
    ),
    users: new Table({}, rows.users),
    keys: new Dictionary(rows.keys, ({ value }) => value),
    dashboard_items: new Table({}, rows.dashboard_items),
    plugins: new Table({ lists: pluginLists }, rows.plugins),
    plugin_configs: new Table(
      { lists: ({ plugin, project }) => [`plugin:${plugin}`, `project:${project}`] },
      rows.plugin_configs,
    ),
    repository: new Table({ lists: () => ['all'] }, rows.repository),
    annotations: new Table(
      { compare: newestMarkerFirst, lists: annotationLists, text: foldedContent },
      rows.annotations,
    ),
    activity: new Table({ compare: newestFirst, lists: activityLists }, rows.activity),
    stamp: new Stamp(),
    revision: rows.plugins.reduce((last, { revision }) => Math.max(last, revision), 0),
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
    stamp: tables.stamp.fork(),
    revision: tables.revision,
  }
}

/** A global plugin stands in two lists: its organization's global ones, and all that are global. */
function pluginLists({ organization, is_global }: PluginRow): string[] {
  const own = `organization:${organization}`
  return is_global ? [`${own}:global`, 'global'] : [own]
}

/**
 * An annotation stands in one list: its organization's where it is organization-wide, else its project's.
 * Deleted ones have lists of their own.
 */
function annotationLists({ project, organization, scope, deleted }: AnnotationRow): string[] {
  const list = scope === 'organization' ? `organization:${organization}` : `project:${project}`
  return [deleted ? `${list}:deleted` : list]
}

/** The log that is shown tells of plugins and their configurations only (observed §5.6). */
function activityLists({ scope, project }: ActivityRow): string[] {
  return scope === 'Plugin' || scope === 'PluginConfig' ? [`project:${project}`] : []
}

function foldedContent({ content }: AnnotationRow): string | null {
  return content === null ? null : fold(content)
}

/** Newest marker first, rows without one before all others; ties by id, the newest first (observed §4.1). */
function newestMarkerFirst(a: AnnotationRow, b: AnnotationRow): number {
  return compareMarkers(b.date_marker, a.date_marker) || b.id - a.id
}

/** Markers are UTC texts with six digits of fraction or none, so their shared part compares as text. */
function compareMarkers(a: string | null, b: string | null): number {
  if (a === b) return 0
  if (a === null || b === null) return a === null ? 1 : -1
  if (a.length === b.length) return a < b ? -1 : 1
  const [left, right] = [a.slice(0, 19), b.slice(0, 19)]
  return left === right ? a.length - b.length : left < right ? -1 : 1
}

function newestFirst(a: ActivityRow, b: ActivityRow): number {
  return b.id - a.id
}
