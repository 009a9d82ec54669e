import { perSetting } from '../../settings/setting.ts'
import { isObject, type Json, type Mutable } from '../../utils/json.ts'
import { defineEntity, type Field, type FieldsWith, type FieldTable } from './field.ts'

/** The content of each file, by file name. As the service's source has it: a content need not be a text. */
export type SourceFiles = { readonly [file: string]: Json | undefined }

/** An installed plugin of an organization. */
export interface PluginRow {
  readonly id: number
  /** local, custom, repository, source, empty, or null; by setting inline */
  readonly plugin_type: string | null
  readonly name: string | null
  readonly description: string | null
  /** Shown without its query, which can contain a token */
  readonly url: string | null
  readonly icon: string | null
  /** Usually a list of field objects, or field objects by name */
  readonly config_schema: Json
  readonly tag: string | null
  readonly latest_tag: string | null
  /** By setting, visible to every organization. */
  readonly is_global: boolean
  /** The id of an organization; sent as organization_id. */
  readonly organization: string
  /** Usually `{}`, or lists of names: `methods`, `jobs` and `scheduled_tasks` */
  readonly capabilities: Json
  /** Usually `sum`, `max` or `min` by name */
  readonly metrics: Json
  /** Usually `{ payload }` by job name */
  readonly public_jobs: Json
  /** The content of each file, by file name. */
  readonly source: SourceFiles
  /** The number of its creation, or of the last write by a request; default: 0. */
  readonly revision: number
}

/** A plugin, as the API returns it. */
export interface Plugin extends Mutable<Omit<PluginRow, 'organization' | 'source' | 'revision'>> {
  /** UUID */
  organization_id: string
  organization_name: string
}

/** The values of `plugin_type` that a request can send. Stored plugins can also have `inline`. */
const pluginTypes = ['local', 'custom', 'repository', 'source', '']

/** JSON that a setting restricts to a known shape. @param nullBy what allows null */
function shaped<Null extends NonNullable<Field['body']>['null']>(
  test: (value: unknown) => boolean,
  nullBy: Null,
) {
  const shape = { setting: 'plugins.json_fields.structure', test } as const
  return { kind: 'json', usual: {}, body: { null: nullBy, shape } } as const
}

export const plugin = defineEntity({
  id: { kind: 'id' },
  plugin_type: {
    kind: 'choice',
    values: [...pluginTypes, 'inline'],
    nullable: true,
    body: {
      words: perSetting('plugins.plugin_type.values', {
        may_2024: pluginTypes,
        july_2024: [...pluginTypes, 'inline'],
        any: 'any',
      }),
    },
  },
  name: { kind: 'text', max: 200, nullable: true, body: {} },
  description: { kind: 'text', nullable: true, body: {} },
  url: {
    kind: 'text',
    max: 800,
    nullable: true,
    sent: { convert: (url: string | null) => (url ? stripQuery(url) : null) },
  },
  icon: { kind: 'text', max: 800, nullable: true, body: {} },
  config_schema: shaped(isConfigSchema, 'plugins.json_fields.null'),
  tag: { kind: 'text', max: 200, nullable: true, body: {} },
  latest_tag: { kind: 'text', max: 800, nullable: true },
  is_global: { kind: 'flag', usual: false, body: {} },
  organization: { kind: 'reference', list: 'organizations', sent: false },
  organization_id: {
    kind: 'uuid',
    inFiles: 'never',
    sent: { from: { reference: 'organization', name: 'id' } },
  },
  organization_name: {
    kind: 'text',
    inFiles: 'never',
    sent: { from: { reference: 'organization', name: 'name' } },
  },
  capabilities: shaped(isCapabilities, 'plugins.json_fields.null'),
  // The documentation and the live service agree that these two can be null.
  metrics: shaped(isMetrics, 'always'),
  public_jobs: shaped(isPublicJobs, 'always'),
  source: { kind: 'object', inFiles: 'maybe', usual: {}, sent: false },
  revision: { kind: 'integer', min: 0, inFiles: 'maybe', usual: 0, sent: false },
} satisfies FieldTable<PluginRow, Plugin>)

/** The request body to change a plugin. Every field is optional. */
export type PluginChanges = Mutable<
  Partial<Pick<PluginRow, FieldsWith<typeof plugin, { body: object }>>>
>

/** The request body to create a plugin. `url` is read only if the settings install plugins from it. */
export interface NewPlugin extends PluginChanges {
  url?: string | null
}

/** Removes the query of a URL, because `?private_token=…` is never shown. */
export function stripQuery(url: string): string {
  return url.replace(/\?.*$/s, '')
}

/** The configuration of a plugin in a project. */
export interface PluginConfigRow {
  readonly id: number
  /** The id of a plugin. */
  readonly plugin: number
  /** The id of a project. */
  readonly project: number
  /** A plugin is unused without a configuration that is enabled and not deleted. */
  readonly enabled: boolean
  readonly order: number
  readonly config: { [key: string]: Json | undefined }
  readonly name: string | null
  readonly description: string | null
  readonly deleted: boolean
  readonly created_at: string
  readonly updated_at: string
}

export const pluginConfig = defineEntity({
  id: { kind: 'id' },
  plugin: { kind: 'reference', list: 'plugins' },
  project: { kind: 'reference', list: 'projects' },
  enabled: { kind: 'flag', usual: true },
  order: { kind: 'integer', usual: 1 },
  config: { kind: 'object', usual: {} },
  name: { kind: 'text', nullable: true, inFiles: 'maybe', usual: null },
  description: { kind: 'text', nullable: true, inFiles: 'maybe', usual: null },
  deleted: { kind: 'flag', inFiles: 'maybe', usual: false },
  created_at: { kind: 'time', inFiles: 'maybe', usual: '2024-01-01T00:00:00Z' },
  updated_at: { kind: 'time', inFiles: 'maybe', usual: ({ created_at }) => created_at },
} satisfies FieldTable<PluginConfigRow>)

/** A version of a catalogue entry. */
export interface PluginVersion {
  readonly tag: string
  /** The content of its plugin.json */
  readonly plugin_json: { [key: string]: Json | undefined }
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
  readonly icon?: string
  readonly displayOnWebsiteLib?: boolean
  readonly type?: string
  readonly imageLink?: string
  /** Oldest first. The last version is the newest. */
  readonly versions: readonly PluginVersion[]
}

export const repositoryEntry = defineEntity({
  id: { kind: 'id', inFiles: 'never', usual: (_, { index }) => index + 1, sent: false },
  name: { kind: 'text' },
  url: { kind: 'text' },
  description: { kind: 'text' },
  verified: { kind: 'flag' },
  maintainer: { kind: 'text' },
  icon: { kind: 'text', inFiles: 'maybe' },
  displayOnWebsiteLib: { kind: 'flag', inFiles: 'maybe' },
  type: { kind: 'text', inFiles: 'maybe' },
  imageLink: { kind: 'text', inFiles: 'maybe' },
  versions: { kind: 'versions', inFiles: 'maybe', usual: [], sent: false },
} satisfies FieldTable<RepositoryRow, Omit<RepositoryRow, 'id' | 'versions'>>)

// Those of metrics and public_jobs are inferred.

const fieldTypes = ['string', 'attachment', 'choice', 'json']

function isConfigSchema(value: unknown) {
  if (Array.isArray(value)) return value.every((entry) => isConfigField(entry))
  return isObject(value) && Object.values(value).every((entry) => isConfigField(entry))
}

/** `{ markdown }`, or a field of a known type. */
function isConfigField(entry: unknown) {
  if (!isObject(entry)) return false
  return typeof entry.markdown === 'string' || fieldTypes.includes(entry.type as string)
}

/** `{}` until the plugin is analysed, then lists of names. */
function isCapabilities(value: unknown) {
  const names = ['methods', 'jobs', 'scheduled_tasks']
  return (
    isObject(value) &&
    Object.entries(value).every(
      ([name, list]) =>
        names.includes(name) &&
        Array.isArray(list) &&
        list.every((item) => typeof item === 'string'),
    )
  )
}

function isMetrics(value: unknown) {
  return (
    isObject(value) &&
    Object.values(value).every((kind) => ['sum', 'max', 'min'].includes(kind as string))
  )
}

function isPublicJobs(value: unknown) {
  return (
    isObject(value) && Object.values(value).every((job) => isObject(job) && isObject(job.payload))
  )
}
