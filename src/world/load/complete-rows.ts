import { parseDateTime } from '../../utils/python/date-time.ts'

import type {
  ActivityRow,
  AnnotationRow,
  KeyRow,
  OrganizationRow,
  PluginConfigRow,
  PluginRow,
  ProjectRow,
  RepositoryRow,
  UserRow,
} from '../rows.ts'
import type { LazyWorldRows } from '../table/tables.ts'
import type {
  ActivityJson,
  AnnotationJson,
  KeyJson,
  OrganizationJson,
  PluginConfigJson,
  PluginJson,
  ProjectJson,
  RepositoryJson,
  UserJson,
  WorldJson,
} from '../world-json.ts'

/**
 * Completes the rows of a valid world: optional fields get their defaults, and times get the format of the service.
 * Rows share the values of their fields with the world, which must not change afterwards.
 */
export function completeWorld(world: WorldJson): LazyWorldRows {
  const projects = (world.projects ?? []).map(({ id, organization }) => [id, organization] as const)
  const organizationOf = new Map(projects)
  return {
    organizations: completeLazily(world.organizations, completeOrganization),
    projects: completeLazily(world.projects, completeProject),
    users: completeLazily(world.users, completeUser),
    keys: completeLazily(world.keys, completeKey),
    dashboard_items: completeLazily(world.dashboard_items, (row) => ({ ...row })),
    plugins: completeLazily(world.plugins, completePlugin),
    plugin_configs: completeLazily(world.plugin_configs, completePluginConfig),
    repository: completeLazily(world.repository, completeRepositoryEntry),
    annotations: completeLazily(world.annotations, (row) =>
      completeAnnotation(row, organizationOf.get(row.project) as string),
    ),
    activity: completeLazily(world.activity, completeActivity),
  }
}

/** The result references one list of the world, so that the rest of it can be freed. */
function completeLazily<Json, Row>(
  rows: readonly Json[] = [],
  complete: (row: Json, index: number) => Row,
): () => Row[] {
  return () => rows.map(complete)
}

export function completeOrganization(row: OrganizationJson): OrganizationRow {
  return { plugins_access_level: 9, ...row }
}

export function completeProject(row: ProjectJson): ProjectRow {
  return {
    name: `Project ${row.id}`,
    uuid: uuidFromNumber(row.id),
    api_token: `phc_project_${row.id}`,
    timezone: 'UTC',
    completed_snippet_onboarding: false,
    has_completed_onboarding_for: null,
    ingested_event: false,
    is_demo: false,
    access_control: false,
    ...row,
  }
}

export function completeUser(row: UserJson): UserRow {
  return { is_active: true, current_project: null, ...row }
}

export function completeKey(row: KeyJson): KeyRow {
  return { label: row.value, projects: [], organizations: [], ...row }
}

export function completePlugin(row: PluginJson): PluginRow {
  return { source: {}, revision: 0, ...row }
}

export function completePluginConfig(row: PluginConfigJson): PluginConfigRow {
  const { created_at = defaultCreatedAt, updated_at = created_at } = row
  return {
    name: null,
    description: null,
    deleted: false,
    ...row,
    created_at: toCanonicalTime(created_at),
    updated_at: toCanonicalTime(updated_at),
  }
}

/** Optional fields of the entry become `extra`. */
export function completeRepositoryEntry(entry: RepositoryJson, index: number): RepositoryRow {
  const { name, url, description, verified, maintainer, versions = [], ...extra } = entry
  return { id: index + 1, name, url, description, verified, maintainer, versions, extra }
}

export function completeAnnotation(row: AnnotationJson, organization: string): AnnotationRow {
  return {
    ...row,
    date_marker: row.date_marker === null ? null : toCanonicalTime(row.date_marker),
    created_at: row.created_at === null ? null : toCanonicalTime(row.created_at),
    updated_at: toCanonicalTime(row.updated_at),
    organization,
  }
}

export function completeActivity(row: ActivityJson): ActivityRow {
  return { detail: {}, ...row, created_at: toCanonicalTime(row.created_at) }
}

const defaultCreatedAt = '2024-01-01T00:00:00Z'
const canonicalTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{6})?Z$/

/** Formats a time like the service. Most times already have that format. */
function toCanonicalTime(time: string): string {
  return canonicalTime.test(time) && !time.endsWith('.000000Z') ? time : parseDateTime(time)
}

/** Derives a UUID from a number. @example uuidFromNumber(7) // '00000000-0000-4000-8000-000000000007' */
export function uuidFromNumber(number: number): string {
  return `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`
}
