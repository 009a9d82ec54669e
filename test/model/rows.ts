import type defaultWorld from '../../fixtures/default.json'
import type { Json, usual } from '../support/api/document.ts'
import type { config, entryOf, project, user } from './world.ts'

export type { Json }

export type Organization = (typeof defaultWorld)['organizations'][number]
export type DashboardItem = (typeof defaultWorld)['dashboard_items'][number]
export type Project = ReturnType<typeof project>
export type User = ReturnType<typeof user>
export type PluginConfig = ReturnType<typeof config>
/** An entry of the log of plugins. */
export type Activity = ReturnType<typeof entryOf>

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

/** Rows have the fields of the document, but for what other rows say. */
export interface Plugin extends Omit<typeof usual.plugin, 'organization_id' | 'organization_name'> {
  readonly organization: string
  source: { readonly [file: string]: Json }
  /** The plugin with the highest revision was changed last. */
  revision: number
}

export interface Annotation
  extends Omit<typeof usual.annotation, 'insight_short_id' | 'insight_name' | 'created_by'> {
  readonly created_by: number | null
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

/** Some fields of a row, in this order. */
export const pick = <Row, Name extends keyof Row>(
  row: Row,
  names: readonly Name[],
): Pick<Row, Name> =>
  Object.fromEntries(names.map((name) => [name, row[name]])) as unknown as Pick<Row, Name>
