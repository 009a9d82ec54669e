import { Failure } from '../../http/failures.ts'
import type { PolicySettings } from '../../policies/policies.ts'
import { isObject } from '../../utils/json.ts'
import { pluginDefaults } from '../../world/defaults.ts'
import type { Json, OrganizationRow, PluginRow, PluginVersion } from '../../world/rows.ts'
import { ownPluginIndexes, type Tables } from '../../world/table/tables.ts'
import { maxLengths } from '../../world/world-format.ts'
import { findCatalogueEntry, findNewestVersion } from './catalogue.ts'
import { normalizeUrl, stripQuery, truncate } from './plugin.ts'
import type { NewPlugin } from './plugin-body.ts'

type NewPluginRow = Omit<PluginRow, 'id' | 'revision'>

/**
 * The plugin that a body creates: stored as it is given, or installed from its url, by the policy
 * `plugins.create.install` (observed §5.2).
 */
export function createPluginRow(
  body: NewPlugin,
  organization: OrganizationRow,
  tables: Tables,
  settings: PolicySettings,
): NewPluginRow {
  const given = {
    ...pluginDefaults,
    ...body,
    organization: organization.id,
    source: {},
  }
  if (settings['plugins.create.install'] === 'stored_as_given') return { ...given, url: null }
  if (body.url) refuseInstalledUrl(body.url, organization, tables)
  if (body.plugin_type === 'source') return given
  if (body.url) return installFromUrl(given, body.url, tables)
  switch (settings['plugins.create.without_url']) {
    case 'server_error':
      throw new Failure('server_error')
    case 'refused':
      throw new Failure('validation_error', 'This field is required.', {
        attr: 'url',
        code: 'required',
      })
    case 'stored':
      return given
  }
}

/**
 * A url is there once in an organization, whatever its query (observed §5, §5.2). The service says so where it
 * installs; of a source plugin its database refuses the url, and the service crashes.
 *
 * @throws Failure `validation_error` for a url that a plugin of the organization already has
 */
function refuseInstalledUrl(url: string, { id }: OrganizationRow, tables: Tables): void {
  const owned = tables.plugins.list(ownPluginIndexes(id)).slice(0, Number.POSITIVE_INFINITY)
  const plain = stripQuery(url)
  if (owned.every(({ row }) => row.url === null || stripQuery(row.url) !== plain)) return
  throw new Failure('validation_error', `Plugin from URL "${plain}" already installed!`)
}

function installFromUrl(given: NewPluginRow, url: string, tables: Tables): NewPluginRow {
  const { plugin_type } = given
  const type = url.startsWith('file:')
    ? 'local'
    : plugin_type === 'repository'
      ? plugin_type
      : 'custom'
  return { ...given, ...resolveArchive(url, tables), plugin_type: type, url }
}

/** What installing overwrites in a plugin (observed §5.2). */
export type InstalledFields = Pick<
  PluginRow,
  | 'name'
  | 'description'
  | 'icon'
  | 'config_schema'
  | 'public_jobs'
  | 'tag'
  | 'latest_tag'
  | 'source'
>

/** The commit that stands for "the newest one" of a url of which the catalogue knows no version. */
const placeholderCommit = '0000000'

/** A repository or package, and in some forms the tag, branch or commit that is meant. */
const urlPatterns = [
  /^(?<address>https?:\/\/(?:www\.)?github\.com\/[^/]+\/(?<name>[^/]+?))(?:\.git)?(?:\/(?:tree|commit|archive|releases\/tag)\/(?<tag>.+?)(?:\.zip|\.tar\.gz)?)?$/,
  /^(?<address>https?:\/\/(?:www\.)?gitlab\.com\/(?:(?!-\/)[^/]+\/)+(?<name>(?!-\/)[^/]+))(?:\/-\/(?:tree|commit|tags|releases|archive)\/(?<tag>[^/]+).*)?$/,
  /^(?<address>https?:\/\/(?:www\.)?npmjs\.com\/package\/(?<name>(?:@[^/]+\/)?[^/]+))(?:\/v\/(?<tag>[^/]+))?$/,
]

/**
 * What an archive behind a url would bring, without fetching it: from the catalogue, where it knows the url,
 * else a plugin named after the url.
 *
 * @throws Failure `validation_error` for a url that is neither `file:` nor GitHub, GitLab or npm
 */
function resolveArchive(url: string, tables: Tables): InstalledFields {
  const plain = normalizeUrl(url)
  if (url.startsWith('file:')) {
    return {
      ...contentFields(unknownVersion(plain.split('/').at(-1) || 'plugin')),
      tag: null,
      latest_tag: null,
    }
  }
  const found = urlPatterns.map((form) => form.exec(plain)?.groups).find(Boolean)
  if (!found) {
    throw new Failure(
      'validation_error',
      'Must be a GitHub/GitLab repository or a npm package URL!',
    )
  }
  const { address = plain, name = plain, tag } = found
  const version = findVersion(address, tag, tables) ?? {
    tag: tag ?? placeholderCommit,
    ...unknownVersion(name),
  }
  return { ...contentFields(version), ...tagFields(version) }
}

/** The tags of a plugin that was just installed in a version. */
export function tagFields({
  tag,
}: Pick<PluginVersion, 'tag'>): Pick<PluginRow, 'tag' | 'latest_tag'> {
  const shown = truncate(tag, maxLengths.plugin.tag)
  return { tag: shown, latest_tag: shown }
}

/** The version of the catalogue that is meant: the one of a tag, or else the newest. */
function findVersion(
  address: string,
  tag: string | undefined,
  tables: Tables,
): PluginVersion | undefined {
  if (tag === undefined) return findNewestVersion(address, tables)
  return findCatalogueEntry(address, tables)?.versions.find((version) => version.tag === tag)
}

/** A version of a plugin nobody wrote down: all that is known is its name. */
function unknownVersion(given: string): Omit<PluginVersion, 'tag'> {
  const plugin_json = { name: truncate(given, maxLengths.plugin.name), config: [] }
  return { plugin_json, source: { 'plugin.json': JSON.stringify(plugin_json) } }
}

/** What a plugin.json says. Where a text is too long the service crashes; here as much is kept as fits. */
export function contentFields({
  plugin_json,
  source,
}: Omit<PluginVersion, 'tag'>): Omit<InstalledFields, 'tag' | 'latest_tag'> {
  const text = (name: string, length = Number.POSITIVE_INFINITY) => {
    const said = plugin_json[name]
    return typeof said === 'string' ? truncate(said, length) : null
  }
  return {
    name: text('name', maxLengths.plugin.name),
    description: text('description'),
    icon: text('icon', maxLengths.plugin.icon),
    config_schema: plugin_json.config ?? {},
    public_jobs: toPublicJobs(plugin_json.publicJobs),
    source,
  }
}

function toPublicJobs(jobs: Json | undefined): Json {
  return isObject(jobs) ? (jobs as Json) : {}
}
