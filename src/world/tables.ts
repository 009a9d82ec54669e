import { Dictionary } from './dictionary.ts'
import { ofOrganization, ofPlugin, ofProject } from './list-names.ts'
import {
  activityLists,
  annotationLists,
  annotationShape,
  foldedContent,
  laterEntryFirst,
  laterMarkerFirst,
  newestEntryFirst,
  newestMarkerFirst,
  pluginLists,
} from './list-rules.ts'
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

/** The same, each list made when its rows are first asked for. */
export type RowsToCome = { readonly [List in keyof Rows]: () => Rows[List] }

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

/** @param revision how often plugins were written before */
export function toTables(rows: RowsToCome, revision: number): Tables {
  return {
    organizations: new Dictionary(rows.organizations(), ({ id }) => id),
    projects: new Table(
      { lists: ({ organization }) => [ofOrganization(organization)] },
      rows.projects,
    ),
    users: new Table({}, rows.users),
    keys: new Dictionary(rows.keys(), ({ value }) => value),
    dashboard_items: new Table({}, rows.dashboard_items),
    plugins: new Table({ lists: pluginLists }, rows.plugins),
    plugin_configs: new Table(
      { lists: ({ plugin, project }) => [ofPlugin(plugin), ofProject(project)] },
      rows.plugin_configs,
    ),
    repository: new Table({ lists: () => ['all'] }, rows.repository),
    annotations: new Table(
      {
        shape: annotationShape,
        rank: newestMarkerFirst,
        rankedBy: 'date_marker',
        compare: laterMarkerFirst,
        lists: annotationLists,
        text: foldedContent,
      },
      rows.annotations,
    ),
    activity: new Table(
      { rank: newestEntryFirst, compare: laterEntryFirst, lists: activityLists },
      rows.activity,
    ),
    stamp: new Stamp(),
    revision,
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
