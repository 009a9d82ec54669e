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
  RepositoryRow,
  Rows,
  UserRow,
} from './rows.ts'

type Optional<Row, Names extends keyof Row> = Omit<Row, Names> & Partial<Pick<Row, Names>>

/** An API key in a world file. */
export type KeyJson = Optional<KeyRow, 'label' | 'projects' | 'organizations'>
/** A plugin in a world file. */
export type PluginJson = Optional<PluginRow, 'source' | 'revision'>
/** An annotation in a world file. Its organization is that of its project. A field that is added is optional here. */
export type AnnotationJson = Omit<AnnotationRow, 'organization'>

/** A catalogue entry in a world file. The `extra` fields of the row are top-level fields here. */
export interface RepositoryJson extends Omit<RepositoryRow, 'id' | 'extra' | 'versions'> {
  readonly icon?: string
  readonly displayOnWebsiteLib?: boolean
  readonly type?: string
  readonly imageLink?: string
  /** Oldest first */
  readonly versions?: readonly PluginVersion[]
}

/** The lists whose ids are counted up. */
export type CountedList = Exclude<keyof Rows, 'organizations' | 'keys' | 'repository'>

/**
 * A world as JSON: the format of world files, and of worlds in the control API. Every list is optional.
 *
 * @example { "organizations": [{ "id": "…", "name": "Acme" }], "projects": [{ "id": 1, "organization": "…" }] }
 */
export interface WorldJson {
  /** The URL of the JSON Schema, for editors */
  readonly $schema?: string
  /** The version of the world format; default: 1 */
  readonly format_version?: number
  readonly organizations?: readonly Optional<OrganizationRow, 'plugins_access_level'>[]
  readonly projects?: readonly (Pick<ProjectRow, 'id' | 'organization'> & Partial<ProjectRow>)[]
  readonly users?: readonly Optional<UserRow, 'is_active' | 'current_project'>[]
  readonly keys?: readonly KeyJson[]
  readonly dashboard_items?: readonly DashboardItemRow[]
  readonly plugins?: readonly PluginJson[]
  readonly plugin_configs?: readonly Optional<
    PluginConfigRow,
    'name' | 'description' | 'deleted' | 'created_at' | 'updated_at'
  >[]
  readonly repository?: readonly RepositoryJson[]
  readonly annotations?: readonly AnnotationJson[]
  readonly activity?: readonly Optional<ActivityRow, 'detail'>[]
  /** The id of the next row of each list; default: the highest id plus one */
  readonly next_ids?: { readonly [List in CountedList]?: number }
  /** The number of key values that are not issued again, because one of them was revoked */
  readonly issued_keys?: number
  /** ISO 8601: the time around which rows are generated. A date alone is its midnight in UTC */
  readonly now?: string
  /** The seed of generated values */
  readonly seed?: number
  /** The number of rows that the factories add to each list */
  readonly generate?: { readonly [List in CountedList | 'organizations']?: number }
}

/** A row of a list in a world file. */
export type RowJson<List extends keyof Rows> = NonNullable<WorldJson[List]>[number]
