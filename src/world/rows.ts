/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** A row that a client received, and may change. */
export type Mutable<Row> = { -readonly [Field in keyof Row]: Row[Field] }

/** An organization: projects, users and plugins belong to it. */
export interface OrganizationRow {
  /** UUID */
  readonly id: string
  readonly name: string
  /** 0 none, 3 configure, 6 install, 9 root */
  readonly plugins_access_level: number
}

/** A project of an organization: annotations belong to it. */
export interface ProjectRow {
  readonly id: number
  /** UUID of its organization */
  readonly organization: string
  readonly name: string
  readonly uuid: string
  readonly api_token: string
  readonly timezone: string
  readonly completed_snippet_onboarding: boolean
  readonly has_completed_onboarding_for: Json
  readonly ingested_event: boolean
  readonly is_demo: boolean
  readonly access_control: boolean
}

/** A user: a member of organizations and the owner of keys. */
export interface UserRow {
  readonly id: number
  readonly uuid: string
  readonly distinct_id: string | null
  readonly first_name: string
  readonly last_name: string
  readonly email: string
  readonly is_email_verified: boolean | null
  readonly hedgehog_config: { [key: string]: Json } | null
  /** UUIDs of the user's organizations */
  readonly organizations: readonly string[]
  readonly is_active: boolean
  /** Project id; null for the first project of the first organization */
  readonly current_project: number | null
}

/** A personal API key. */
export interface KeyRow {
  /** The text after `Bearer ` */
  readonly value: string
  readonly label: string
  /** User id */
  readonly user: number
  /** `object:read`, `object:write` or `*`; null for a legacy key with full access */
  readonly scopes: readonly string[] | null
  /** Ids of the projects that the key is limited to; empty for no limit */
  readonly projects: readonly number[]
  /** UUIDs of the organizations that the key is limited to; empty for no limit */
  readonly organizations: readonly string[]
}

/** Whether a key has every scope: a key with `*`, or an older one without a list of scopes. */
export function hasAllScopes({ scopes }: Pick<KeyRow, 'scopes'>): boolean {
  return scopes?.includes('*') ?? true
}

/** A dashboard item: annotations can be attached to it. */
export interface DashboardItemRow {
  readonly id: number
  /** Project id */
  readonly project: number
  readonly short_id: string
  readonly name: string | null
}

/** The content of each file, by file name. Seen in the live service: a content need not be a text. */
export type SourceFiles = { readonly [file: string]: Json }

/** An installed plugin of an organization. */
export interface PluginRow {
  readonly id: number
  /** local, custom, repository, source, empty, or null */
  readonly plugin_type: string | null
  readonly name: string | null
  readonly description: string | null
  /** Shown without its query, which can contain a token */
  readonly url: string | null
  readonly icon: string | null
  /** A list of field objects, or field objects by name */
  readonly config_schema: Json
  readonly tag: string | null
  readonly latest_tag: string | null
  readonly is_global: boolean
  /** UUID of its organization */
  readonly organization: string
  /** `{}`, or lists of names: `methods`, `jobs` and `scheduled_tasks` */
  readonly capabilities: Json
  /** `sum`, `max` or `min` by name */
  readonly metrics: Json
  /** `{ payload }` by job name */
  readonly public_jobs: Json
  readonly source: SourceFiles
  /** The number of the last write to this plugin; not a time, because a clock can be frozen */
  readonly revision: number
}

/** The configuration of a plugin in a project. */
export interface PluginConfigRow {
  readonly id: number
  /** Plugin id */
  readonly plugin: number
  /** Project id */
  readonly project: number
  readonly enabled: boolean
  readonly order: number
  readonly config: { [key: string]: Json }
  readonly name: string | null
  readonly description: string | null
  readonly deleted: boolean
  readonly created_at: string
  readonly updated_at: string
}

/** A version of a catalogue entry. */
export interface PluginVersion {
  readonly tag: string
  /** The content of its plugin.json */
  readonly plugin_json: { [key: string]: Json }
  readonly source: SourceFiles
}

/** An entry of the catalogue. Plugins are installed from it. */
export interface RepositoryRow {
  /** Position in the catalogue, from 1 */
  readonly id: number
  readonly name: string
  readonly url: string
  readonly description: string
  readonly verified: boolean
  readonly maintainer: string
  /** Optional fields: icon, displayOnWebsiteLib, type, imageLink */
  readonly extra: { [key: string]: Json }
  /** Oldest first. The last version is the newest. */
  readonly versions: readonly PluginVersion[]
}

/** An annotation: a note at a moment in time, in a project. */
export interface AnnotationRow {
  readonly id: number
  readonly content: string | null
  /** ISO 8601, UTC with Z, with six digits of fraction or none */
  readonly date_marker: string | null
  readonly creation_type: string
  /** Dashboard item id */
  readonly dashboard_item: number | null
  /** User id */
  readonly created_by: number | null
  readonly created_at: string | null
  /** ISO 8601, UTC. Every save sets it. */
  readonly updated_at: string
  /** Whether the annotation is soft-deleted */
  readonly deleted: boolean
  readonly scope: string
  /** Project id */
  readonly project: number
  /** UUID of the project's organization; not in world files */
  readonly organization: string
}

/** An entry of the activity log of plugins. */
export interface ActivityRow {
  readonly id: number
  /** User id */
  readonly user: number | null
  readonly organization: string
  /** Id of the user's current project at that time */
  readonly project: number | null
  /** installed, uninstalled, enabled, disabled, config_updated … */
  readonly activity: string
  readonly scope: string
  readonly item_id: string
  readonly detail: { [key: string]: Json }
  readonly created_at: string
}

/** The rows of a world, by list. */
export interface Rows {
  organizations: OrganizationRow
  projects: ProjectRow
  users: UserRow
  keys: KeyRow
  dashboard_items: DashboardItemRow
  plugins: PluginRow
  plugin_configs: PluginConfigRow
  repository: RepositoryRow
  annotations: AnnotationRow
  activity: ActivityRow
}
