import { Failure } from '../../http/failures.ts'
import type { SettingValues } from '../../settings/setting.ts'
import { isObject } from '../../utils/json.ts'
import { type NewPlugin, plugin, stripQuery } from '../../world/entities/plugin.ts'
import type {
  Json,
  OrganizationRow,
  PluginRow,
  PluginVersion,
  RepositoryRow,
} from '../../world/rows.ts'
import type { Tables } from '../../world/tables.ts'
import { crashed, pluginsOf, truncate } from './plugin.ts'

/** Creates a row. The setting `plugins.create.install` stores the fields, or installs the plugin from its URL. */
export function createPluginRow(
  body: NewPlugin,
  organization: OrganizationRow,
  tables: Tables,
  settings: SettingValues,
): PluginRow {
  const row = plugin.create<PluginRow>({
    ...body,
    id: tables.plugins.nextId,
    organization: organization.id,
  })
  if (settings['plugins.create.install'] === 'stored_as_given') return row
  if (body.url) requireNewUrl(body.url, organization, tables)
  if (body.plugin_type === 'source') return row
  if (body.url) return installFromUrl(row, body.url, tables)
  // As the service's source has it: without url, only the type source does not crash.
  throw crashed('the body has no url', { plugin_type: 'source' })
}

/**
 * Two plugins of an organization cannot have the same URL; queries do not count. The live service responds with a 500
 * instead if the plugin type is `source`.
 *
 * @throws Failure `validation_error` for a URL that a plugin of the organization already has
 */
function requireNewUrl(url: string, { id }: OrganizationRow, tables: Tables) {
  const plain = stripQuery(url)
  if (pluginsOf(id, tables).every((row) => row.url === null || stripQuery(row.url) !== plain))
    return
  throw new Failure('validation_error', `Plugin from URL "${plain}" already installed!`)
}

function installFromUrl(row: PluginRow, url: string, tables: Tables): PluginRow {
  const { plugin_type } = row
  const type = url.startsWith('file:')
    ? 'local'
    : plugin_type === 'repository'
      ? plugin_type
      : 'custom'
  return { ...row, ...resolveArchive(url, tables), plugin_type: type, url }
}

/** The tag of the newest version of a URL that is not in the catalogue. */
const unknownCommit = '0000000'

/** URLs of repositories and packages, with an optional tag, branch or commit. */
const urlPatterns = [
  /^(?<address>https?:\/\/(?:www\.)?github\.com\/[^/]+\/(?<name>[^/]+?))(?:\.git)?(?:\/(?:tree|commit|archive|releases\/tag)\/(?<tag>.+?)(?:\.zip|\.tar\.gz)?)?$/,
  /^(?<address>https?:\/\/(?:www\.)?gitlab\.com\/(?:(?!-\/)[^/]+\/)+(?<name>(?!-\/)[^/]+))(?:\/-\/(?:tree|commit|tags|releases|archive)\/(?<tag>[^/]+).*)?$/,
  /^(?<address>https?:\/\/(?:www\.)?npmjs\.com\/package\/(?<name>(?:@[^/]+\/)?[^/]+))(?:\/v\/(?<tag>[^/]+))?$/,
]

/**
 * Resolves the archive of a URL without fetching it. A URL of the catalogue gives its version there, and any other URL
 * a plugin named after the URL.
 *
 * @throws Failure `validation_error` for a URL that is neither `file:` nor GitHub, GitLab or npm
 */
function resolveArchive(url: string, tables: Tables) {
  const plain = normalizeUrl(url)
  if (url.startsWith('file:')) {
    return {
      ...fieldsOfVersion(unknownVersion(plain.slice(plain.lastIndexOf('/') + 1))),
      tag: null,
      latest_tag: null,
    }
  }
  const match = urlPatterns.map((pattern) => pattern.exec(plain)?.groups).find(Boolean)
  if (!match) {
    throw new Failure(
      'validation_error',
      'Must be a GitHub/GitLab repository or a npm package URL!',
    )
  }
  const { address = plain, name = plain, tag } = match
  const versions = findCatalogueEntry(address, tables)?.versions ?? []
  const entry = tag === undefined ? versions.at(-1) : versions.find((other) => other.tag === tag)
  const version = entry ?? { tag: tag ?? unknownCommit, ...unknownVersion(name) }
  return { ...fieldsOfVersion(version), ...tagFields(version) }
}

export function tagFields({
  tag,
}: Pick<PluginVersion, 'tag'>): Pick<PluginRow, 'tag' | 'latest_tag'> {
  const stored = truncate(tag, plugin.fields.tag)
  return { tag: stored, latest_tag: stored }
}

/** A version that is not in the catalogue. Only its name is known. */
function unknownVersion(name: string): Omit<PluginVersion, 'tag'> {
  const plugin_json = { name: truncate(name, plugin.fields.name), config: [] }
  return { plugin_json, source: { 'plugin.json': JSON.stringify(plugin_json) } }
}

/** The fields that plugin.json defines. Texts are truncated; the live service responds with a 500 instead. */
export function fieldsOfVersion({ plugin_json, source }: Omit<PluginVersion, 'tag'>) {
  const { config, publicJobs } = plugin_json
  const text = (name: 'name' | 'description' | 'icon') => {
    const value = plugin_json[name]
    return typeof value === 'string' ? truncate(value, plugin.fields[name]) : null
  }
  return {
    name: text('name'),
    description: text('description'),
    icon: text('icon'),
    config_schema: config ?? {},
    public_jobs: isObject(publicJobs) ? (publicJobs as Json) : {},
    source,
  }
}

/** The form in which URLs are compared: without query and trailing slashes. */
function normalizeUrl(url: string) {
  return stripQuery(url).replace(/\/+$/, '')
}

export function findCatalogueEntry(
  url: string | null,
  { repository }: Tables,
): RepositoryRow | undefined {
  if (url === null) return undefined
  for (const entry of repository.values()) {
    if (normalizeUrl(entry.url) === normalizeUrl(url)) return entry
  }
  return undefined
}

export function findNewestVersion(url: string | null, tables: Tables): PluginVersion | undefined {
  return findCatalogueEntry(url, tables)?.versions.at(-1)
}
