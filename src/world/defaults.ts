import { randomText } from '../utils/seeded-random.ts'
import { UsageError } from '../utils/usage-error.ts'
import type { Clock } from './clock/clock.ts'
import type { AnnotationRow, OrganizationRow, PluginRow, Rows } from './rows.ts'
import type { Tables } from './table/tables.ts'
import { uuidFromNumber } from './world-format.ts'

/** The key, project and organization for a first request. */
export interface Defaults {
  /** The value of the first key. @throws UsageError if the world has no key */
  readonly key: string
  /** The id of the first project. @throws UsageError if the world has no project */
  readonly project_id: number
  /**
   * UUID of the first project's organization, or of the first organization.
   *
   * @throws UsageError if the world has no organization
   */
  readonly organization_id: string
}

/** Creates defaults that always read the current tables, because a reset replaces them. */
export function createDefaults(sandbox: { readonly tables: Tables }): Defaults {
  const first = <Row>(rows: Iterable<Row>, list: string): Row => {
    for (const row of rows) return row
    throw new UsageError(`Failed to choose a default: the world has no ${list}. Add one.`)
  }
  return {
    get key() {
      return first(sandbox.tables.keys.values(), 'keys').value
    },
    get project_id() {
      return first(sandbox.tables.projects.values(), 'projects').id
    },
    get organization_id() {
      const { organizations, projects } = sandbox.tables
      for (const { organization } of projects.values()) return organization
      return first(organizations.values(), 'organizations').id
    },
  }
}

/** The rows that can be read and written without a request, by list, in the world format. */
export interface AccessibleRows extends CountedRows {
  organizations: OrganizationRow
}

/** The rows whose ids are counted up, by list. */
export interface CountedRows
  extends Omit<Rows, 'organizations' | 'keys' | 'repository' | 'annotations'> {
  annotations: Omit<AnnotationRow, 'organization'>
}

export const pluginDefaults: Readonly<
  Omit<PluginRow, 'id' | 'organization' | 'source' | 'revision'>
> = {
  plugin_type: null,
  name: null,
  description: null,
  url: null,
  icon: null,
  config_schema: {},
  tag: null,
  latest_tag: null,
  is_global: false,
  capabilities: {},
  metrics: {},
  public_jobs: {},
}

/** The fields of an annotation that clients can write, for requests and world files that leave them out. */
export const annotationDefaults: Omit<
  AccessibleRows['annotations'],
  'id' | 'created_by' | 'created_at' | 'updated_at' | 'project'
> = {
  content: null,
  date_marker: null,
  creation_type: 'USR',
  dashboard_item: null,
  deleted: false,
  scope: 'dashboard_item',
}

export interface NewRowContext {
  /** The id of the row, or the number that its UUID is derived from */
  readonly id: number
  readonly seed: number
  readonly clock: Clock
  readonly defaults: { readonly project_id: number; readonly organization_id: string }
}

export const rowDefaults: {
  readonly [List in keyof AccessibleRows]: (context: NewRowContext) => Partial<AccessibleRows[List]>
} = {
  organizations: ({ id }) => ({ id: uuidFromNumber(id), name: `Organization ${id}` }),
  projects: ({ id, defaults }) => ({ id, organization: defaults.organization_id }),
  users: ({ id, defaults }) => ({
    id,
    uuid: uuidFromNumber(id),
    distinct_id: `d${id}`,
    first_name: `User ${id}`,
    last_name: '',
    email: `user${id}@example.com`,
    is_email_verified: null,
    hedgehog_config: null,
    organizations: [defaults.organization_id],
  }),
  dashboard_items: ({ id, seed, defaults }) => ({
    id,
    project: defaults.project_id,
    short_id: randomText(seed, id, 8),
    name: null,
  }),
  plugins: ({ id, defaults }) => ({
    id,
    ...pluginDefaults,
    organization: defaults.organization_id,
  }),
  plugin_configs: ({ id, clock, defaults }) => ({
    id,
    project: defaults.project_id,
    enabled: true,
    order: 1,
    config: {},
    created_at: clock.iso(),
    updated_at: clock.iso(),
  }),
  annotations: ({ id, clock, defaults }) => ({
    id,
    ...annotationDefaults,
    created_by: null,
    created_at: clock.iso(),
    updated_at: clock.iso(),
    project: defaults.project_id,
  }),
  activity: ({ id, clock, defaults }) => ({
    id,
    user: null,
    organization: defaults.organization_id,
    project: defaults.project_id,
    scope: 'Plugin',
    created_at: clock.iso(),
  }),
}
