import { KeyedTable } from './dictionary.ts'
import { organizationIndex, pluginIndex, projectIndex } from './list-names.ts'
import {
  annotationSearchText,
  compareActivity,
  compareAnnotations,
  indexesOfActivity,
  indexesOfAnnotation,
  indexesOfPlugin,
  normalizeAnnotation,
  rankActivity,
  rankAnnotation,
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
import { EmbeddedRowsCache } from './stamp.ts'
import { Table } from './table.ts'

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
