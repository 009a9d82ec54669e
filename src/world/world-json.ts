import type {
  ActivityRow,
  AnnotationRow,
  DashboardItemRow,
  KeyRow,
  OrganizationRow,
  PluginConfigRow,
  PluginRow,
  PluginVersion,
  ProjectRow,
  UserRow,
} from './rows.ts'

type Optional<Row, Names extends keyof Row> = Omit<Row, Names> & Partial<Pick<Row, Names>>

/** An organization in a world file. */
export type OrganizationJson = Optional<OrganizationRow, 'plugins_access_level'>
/** A project in a world file. */
export type ProjectJson = Optional<ProjectRow, Exclude<keyof ProjectRow, 'id' | 'organization'>>
/** A user in a world file. */
export type UserJson = Optional<UserRow, 'is_active' | 'current_project'>
/** An API key in a world file. */
export type KeyJson = Optional<KeyRow, 'label' | 'projects' | 'organizations'>
/** A plugin in a world file. */
export type PluginJson = Optional<PluginRow, 'source' | 'revision'>
/** A configuration of a plugin in a world file. */
export type PluginConfigJson = Optional<
  PluginConfigRow,
  'name' | 'description' | 'deleted' | 'created_at' | 'updated_at'
>
/** An annotation in a world file: its organization follows from its project. */
export type AnnotationJson = Omit<AnnotationRow, 'organization'>

/** A catalogue entry: `extra` fields of the row stand beside the others. */
export interface RepositoryJson {
  readonly name: string
  readonly url: string
  readonly description: string
  readonly verified: boolean
  readonly maintainer: string
  readonly icon?: string
  readonly displayOnWebsiteLib?: boolean
  readonly type?: string
  readonly imageLink?: string
  /** Oldest first */
  readonly versions?: readonly PluginVersion[]
}

/** The lists whose rows have ids that are counted up. */
export type CountedList =
  | 'projects'
  | 'users'
  | 'dashboard_items'
  | 'plugins'
  | 'plugin_configs'
  | 'annotations'
  | 'activity'

/**
 * A world as JSON: what fixtures hold, and what the control API takes and gives. Every list may be missing.
 *
 * @example { "organizations": [{ "id": "…", "name": "Acme" }], "projects": [{ "id": 1, "organization": "…" }] }
 */
export interface WorldJson {
  /** Address of the JSON Schema, for editors */
  readonly $schema?: string
  /** Of the format, counted from 1, which a file without it has */
  readonly format_version?: number
  readonly organizations?: readonly OrganizationJson[]
  readonly projects?: readonly ProjectJson[]
  readonly users?: readonly UserJson[]
  readonly keys?: readonly KeyJson[]
  readonly dashboard_items?: readonly DashboardItemJson[]
  readonly plugins?: readonly PluginJson[]
  readonly plugin_configs?: readonly PluginConfigJson[]
  readonly repository?: readonly RepositoryJson[]
  readonly annotations?: readonly AnnotationJson[]
  readonly activity?: readonly ActivityJson[]
  /** The id the next row of a list gets; by default the highest one plus one */
  readonly next_ids?: { readonly [List in CountedList]?: number }
  /** How many values for keys were made before one was revoked: they are not made again */
  readonly issued_keys?: number
  /** ISO 8601: the time that generated rows refer to */
  readonly now?: string
  /** What everything generated follows from */
  readonly seed?: number
  /** How many rows of a list the factories shall add */
  readonly generate?: { readonly [List in CountedList | 'organizations']?: number }
}

/** A dashboard item in a world file. */
export type DashboardItemJson = DashboardItemRow
/** An entry of the log in a world file. */
export type ActivityJson = Optional<ActivityRow, 'detail'>
