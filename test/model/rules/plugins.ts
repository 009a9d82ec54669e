import type { ApiRequest, Meaning } from '../request.ts'
import type { Json, Organization, Plugin, Rows } from '../rows.ts'
import { notFound } from './answers.ts'
import { firstPlugin, type PluginFields, readPlugin } from './fields.ts'
import { page } from './pages.ts'

type ReadOnly = 'id' | 'url' | 'latest_tag' | 'organization_id' | 'organization_name'

/** How a plugin is shown. The query of its URL can contain a token. */
function show(
  organization: Organization,
  row: Plugin,
): Record<keyof PluginFields | ReadOnly, Json> {
  return {
    id: row.id,
    plugin_type: row.plugin_type,
    name: row.name,
    description: row.description,
    url: withoutQuery(row.url),
    icon: row.icon,
    config_schema: row.config_schema,
    tag: row.tag,
    latest_tag: row.latest_tag,
    is_global: row.is_global,
    organization_id: organization.id,
    organization_name: organization.name,
    capabilities: row.capabilities,
    metrics: row.metrics,
    public_jobs: row.public_jobs,
  }
}

const withoutQuery = (url: string | null): string | null => url?.replace(/\?.*$/, '') ?? null

/** An organization sees its own plugins only. */
function owned(rows: Rows, { id }: Organization): Plugin[] {
  return rows.plugins
    .filter((row) => row.organization === id)
    .sort((one, other) => one.id - other.id)
}

function find(rows: Rows, organization: Organization, id: string): Plugin {
  const row = owned(rows, organization).find((one) => String(one.id) === id)
  if (!row) throw notFound()
  return row
}

export function list(rows: Rows, organization: Organization, request: ApiRequest): Json {
  const shown = owned(rows, organization).map((row) => show(organization, row))
  return page(request, shown, 100)
}

export function create(rows: Rows, organization: Organization, means: Meaning): Json {
  const fields = readPlugin(means, rows)
  rows.nextRevision += 1
  const row: Plugin = {
    id: rows.nextPlugin,
    ...firstPlugin,
    url: null,
    latest_tag: null,
    organization: organization.id,
    source: {},
    revision: rows.nextRevision,
    ...fields,
  }
  rows.nextPlugin += 1
  rows.plugins.push(row)
  return show(organization, row)
}

export function retrieve(rows: Rows, organization: Organization, id: string): Json {
  return show(organization, find(rows, organization, id))
}

/** Both PATCH of a plugin and PATCH of its source: the document gives them the same body. */
export function update(
  rows: Rows,
  organization: Organization,
  id: string,
  parse: () => Meaning,
): Json {
  const row = find(rows, organization, id)
  Object.assign(row, readPlugin(parse(), rows))
  return show(organization, touched(rows, row))
}

function touched(rows: Rows, row: Plugin): Plugin {
  rows.nextRevision += 1
  row.revision = rows.nextRevision
  return row
}

export function remove(rows: Rows, organization: Organization, id: string): void {
  const { id: found } = find(rows, organization, id)
  rows.plugins = rows.plugins.filter((row) => row.id !== found)
  rows.plugin_configs = rows.plugin_configs.filter((row) => row.plugin !== found)
}

/** The newest version of a plugin in the catalogue, or null if the catalogue does not have it. */
function newest(rows: Rows, row: Plugin): Rows['repository'][number]['versions'][number] | null {
  const entry = rows.repository.find(({ url }) => url === withoutQuery(row.url))
  return entry?.versions.at(-1) ?? null
}

export function checkForUpdates(rows: Rows, organization: Organization, id: string): Json {
  const row = find(rows, organization, id)
  const version = newest(rows, row)
  if (version === null) return show(organization, row)
  row.latest_tag = version.tag
  return show(organization, touched(rows, row))
}

/** The body is validated, but not stored. A plugin of a URL becomes what the newest version says. */
export function upgrade(
  rows: Rows,
  organization: Organization,
  id: string,
  parse: () => Meaning,
): Json {
  const row = find(rows, organization, id)
  readPlugin(parse(), rows)
  const version = newest(rows, row)
  const isLocal = row.plugin_type === 'source' || row.plugin_type === 'local'
  if (version === null || isLocal) return show(organization, row)
  const { name, description, icon, config, publicJobs } = version.plugin_json
  Object.assign(row, {
    name: name ?? null,
    description: description ?? null,
    icon: icon ?? null,
    config_schema: config ?? {},
    public_jobs: publicJobs ?? {},
    tag: version.tag,
    latest_tag: version.tag,
    source: version.source,
  })
  return show(organization, touched(rows, row))
}

/** The plugin that was changed last. */
export function activity(rows: Rows, organization: Organization): Json {
  const latest = owned(rows, organization).reduce<Plugin | undefined>(
    (best, row) => (best && best.revision >= row.revision ? best : row),
    undefined,
  )
  return latest ? show(organization, latest) : nothing(organization)
}

/** The first plugin that exports data: an enabled configuration in a project of the organization, and something to run. */
export function exporting(rows: Rows, organization: Organization): Json {
  const own = rows.projects.filter((project) => project.organization === organization.id)
  const isEnabled = (plugin: Plugin) =>
    rows.plugin_configs.some((config) => {
      const isOwn = own.some(({ id }) => id === config.project)
      return config.plugin === plugin.id && config.enabled && !config.deleted && isOwn
    })
  const shown = owned(rows, organization).find((row) => isEnabled(row) && exportsData(row))
  return shown ? show(organization, shown) : nothing(organization)
}

/** Plugins whose capabilities are not known export nothing, and neither do global plugins that process events. */
function exportsData({ is_global, capabilities }: Plugin): boolean {
  const isObject =
    typeof capabilities === 'object' && capabilities !== null && !Array.isArray(capabilities)
  if (!isObject || JSON.stringify(capabilities) === '{}') return false
  const { methods } = capabilities as { readonly methods?: readonly string[] }
  return !(is_global && methods?.includes('processEvent'))
}

/** The installed plugin that comes first in the catalogue. */
export function catalogued(rows: Rows, organization: Organization): Json {
  const installed = owned(rows, organization)
  const found = rows.repository.flatMap(({ url }) =>
    installed.filter((row) => withoutQuery(row.url) === url),
  )
  return found[0] ? show(organization, found[0]) : nothing(organization)
}

/** The first plugin without an enabled configuration. */
export function unused(rows: Rows, organization: Organization): Json {
  const found = owned(rows, organization).find(
    ({ id }) =>
      !rows.plugin_configs.some((one) => one.plugin === id && one.enabled && !one.deleted),
  )
  return found ? show(organization, found) : nothing(organization)
}

/** The document promises a plugin, so an empty one stands for none. */
function nothing({ id, name }: Organization): Json {
  return {
    ...{ id: 0, plugin_type: 'local', name: '', description: '', url: '', icon: '' },
    ...{ config_schema: {}, tag: '', latest_tag: '', is_global: false },
    ...{ organization_id: id, organization_name: name },
    ...{ capabilities: {}, metrics: {}, public_jobs: {} },
  }
}
