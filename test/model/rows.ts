import type { AnnotationFields, PluginFields } from './rules/fields.ts'

/** JSON as a value. */
export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [name: string]: Json }

export interface Organization {
  readonly id: string
  readonly name: string
  readonly plugins_access_level: number
}

export interface Project {
  readonly id: number
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

export interface User {
  readonly id: number
  readonly uuid: string
  readonly distinct_id: string | null
  readonly first_name: string
  readonly last_name: string
  readonly email: string
  readonly is_email_verified: boolean | null
  readonly hedgehog_config: Json
  readonly organizations: readonly string[]
  readonly is_active: boolean
  readonly current_project: number | null
}

export interface Key {
  readonly value: string
  readonly label: string
  readonly user: number
  /** Null for a key from before scopes existed. */
  readonly scopes: readonly string[] | null
  /** The only projects that the key can use. An empty list allows any project. */
  readonly projects: readonly number[]
  readonly organizations: readonly string[]
}

export interface DashboardItem {
  readonly id: number
  readonly project: number
  readonly short_id: string
  readonly name: string | null
}

export interface CatalogueEntry {
  readonly name: string
  readonly url: string
  readonly description: string
  readonly verified: boolean
  readonly maintainer: 'official' | 'community'
  readonly displayOnWebsiteLib?: boolean
  readonly type?: string
  /** The newest last. */
  readonly versions: readonly {
    readonly tag: string
    readonly plugin_json: { readonly [Name in string]?: Json }
    readonly source: { readonly [file: string]: Json }
  }[]
}

export interface Plugin extends PluginFields {
  readonly id: number
  readonly organization: string
  readonly url: string | null
  source: { readonly [file: string]: Json }
  latest_tag: string | null
  /** The plugin with the highest revision was changed last. */
  revision: number
}

export interface PluginConfig {
  readonly id: number
  readonly plugin: number
  readonly project: number
  readonly enabled: boolean
  readonly order: number
  readonly config: { readonly [field: string]: Json }
  readonly name: string | null
  readonly description: string | null
  readonly deleted: boolean
  readonly created_at: string
  readonly updated_at: string
}

/** An entry of the log of plugins. */
export interface Activity {
  readonly id: number
  readonly user: number | null
  readonly organization: string
  readonly project: number | null
  readonly activity: string
  readonly scope: string
  readonly item_id: string
  readonly detail: { readonly [name: string]: Json }
  readonly created_at: string
}

export interface Annotation extends AnnotationFields {
  readonly id: number
  readonly created_by: number | null
  readonly created_at: string
  updated_at: string
  project: number
}

/** Everything that a world stores. Plain data: structuredClone copies it. */
export interface Rows {
  organizations: Organization[]
  projects: Project[]
  users: User[]
  keys: Key[]
  dashboard_items: DashboardItem[]
  repository: CatalogueEntry[]
  plugins: Plugin[]
  plugin_configs: PluginConfig[]
  annotations: Annotation[]
  activity: Activity[]
  /** Ids are never used twice. */
  nextAnnotation: number
  nextPlugin: number
  nextActivity: number
  nextRevision: number
}

export function byId<Row extends { readonly id: unknown }>(
  rows: readonly Row[],
  id: unknown,
): Row | undefined {
  return rows.find((row) => row.id === id)
}
