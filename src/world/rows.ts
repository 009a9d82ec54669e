/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** What projects, users and plugins belong to. */
export interface OrganizationRow {
  /** UUID */
  readonly id: string
  readonly name: string
  /** 0 none, 3 configure, 6 install, 9 root (observed §5) */
  readonly plugins_access_level: number
}

/** A project of an organization: what annotations belong to. */
export interface ProjectRow {
  readonly id: number
  /** UUID of the organization it belongs to */
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

/** A member of organizations, in whose name keys act. */
export interface UserRow {
  readonly id: number
  readonly uuid: string
  readonly distinct_id: string | null
  readonly first_name: string
  readonly last_name: string
  readonly email: string
  readonly is_email_verified: boolean | null
  readonly hedgehog_config: { [key: string]: Json } | null
  /** UUIDs of the organizations the user belongs to */
  readonly organizations: readonly string[]
  readonly is_active: boolean
  /** Project id; null: the first project of the first organization */
  readonly current_project: number | null
}

/** A personal API key: whose it is, and what it may do. */
export interface KeyRow {
  /** What follows `Bearer ` */
  readonly value: string
  readonly label: string
  /** User id */
  readonly user: number
  /** `object:read`, `object:write` or `*`; null: a key from before scopes, which may do everything */
  readonly scopes: readonly string[] | null
  /** Project ids the key is limited to; empty: all */
  readonly projects: readonly number[]
  /** Organization ids the key is limited to; empty: all */
  readonly organizations: readonly string[]
}

/** What an annotation of that scope is attached to. */
export interface DashboardItemRow {
  readonly id: number
  /** Project id */
  readonly project: number
  readonly short_id: string
  readonly name: string | null
}

/** File name to text. Anything may stand for the text: the service checks no types (observed §5.6). */
export type SourceFiles = { readonly [file: string]: Json }

/** A plugin that is installed in an organization. */
export interface PluginRow {
  readonly id: number
  readonly plugin_type: string | null
  readonly name: string | null
  readonly description: string | null
  readonly url: string | null
  readonly icon: string | null
  readonly config_schema: Json
  readonly tag: string | null
  readonly latest_tag: string | null
  readonly is_global: boolean
  /** UUID of the organization it belongs to */
  readonly organization: string
  readonly capabilities: Json
  readonly metrics: Json
  readonly public_jobs: Json
  readonly source: SourceFiles
  /** Which write to plugins changed it last: a count, not a time, since a clock may stand still */
  readonly revision: number
}

/** How a plugin is set up in a project. */
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

/** One version of a catalogue entry: what installing it would bring. */
export interface PluginVersion {
  readonly tag: string
  /** The content of its plugin.json */
  readonly plugin_json: { [key: string]: Json }
  readonly source: SourceFiles
}

/** An entry of the catalogue that plugins are installed from. */
export interface RepositoryRow {
  /** Position in the catalogue, from 1 */
  readonly id: number
  readonly name: string
  readonly url: string
  readonly description: string
  readonly verified: boolean
  readonly maintainer: string
  /** Fields that later catalogues carry: icon, displayOnWebsiteLib, type, imageLink */
  readonly extra: { [key: string]: Json }
  /** Oldest first; the last one is the newest */
  readonly versions: readonly PluginVersion[]
}

/** A note at a moment in time, in a project. */
export interface AnnotationRow {
  readonly id: number
  readonly content: string | null
  /** ISO 8601, UTC with Z, six digits of fraction or none */
  readonly date_marker: string | null
  readonly creation_type: string
  /** Dashboard item id */
  readonly dashboard_item: number | null
  /** User id */
  readonly created_by: number | null
  readonly created_at: string | null
  readonly updated_at: string
  readonly deleted: boolean
  readonly scope: string
  /** Project id */
  readonly project: number
  /** UUID of the project's organization; follows from the project and is not part of a world file */
  readonly organization: string
}

/** An entry of the log of what was done to plugins. */
export interface ActivityRow {
  readonly id: number
  /** User id */
  readonly user: number | null
  readonly organization: string
  /** The user's current project at that time (observed §5.6) */
  readonly project: number | null
  /** installed, uninstalled, enabled, disabled, config_updated … */
  readonly activity: string
  readonly scope: string
  readonly item_id: string
  readonly detail: { [key: string]: Json }
  readonly created_at: string
}
