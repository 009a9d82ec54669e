import { byId, type Json, type Plugin, type PluginConfig, pick, type Rows } from '../rows.ts'
import type { PluginCall } from './call.ts'
import { firstPlugin } from './fields.ts'
import { show, visible, withoutQuery } from './plugins.ts'

// The four lists that the documentation shows as one plugin. In `live` they are lists.

/** Documented: the plugin that was changed last. */
export function latestChanged(call: PluginCall): Json {
  const latest = visible(call, call.organization).reduce<Plugin | undefined>(
    (best, row) => (best && best.revision >= row.revision ? best : row),
    undefined,
  )
  return orNone(call, latest)
}

/** Documented: the first plugin that exports data. */
export function firstExporting(call: PluginCall): Json {
  const configs = exportConfigs(call)
  const row = visible(call, call.organization).find(({ id }) =>
    configs.some(({ plugin }) => plugin === id),
  )
  return orNone(call, row)
}

/** Live: the enabled configurations of projects of the organization whose plugin exports data. */
export function exportList(call: PluginCall): Json {
  const { rows } = call
  return exportConfigs(call).map((config) => {
    const plugin = byId(rows.plugins, config.plugin) as Plugin
    return {
      ...pick(config, ['id', 'plugin', 'enabled', 'order']),
      config: masked(config.config, plugin.config_schema),
      error: null,
      team_id: config.project,
      plugin_info: show(rows, plugin),
      delivery_rate_24h: null,
      ...pick(config, ['created_at', 'updated_at', 'name', 'description', 'deleted']),
    }
  })
}

function exportConfigs({ rows, organization }: PluginCall): PluginConfig[] {
  return rows.plugin_configs
    .filter((config) => {
      const plugin = byId(rows.plugins, config.plugin)
      const project = byId(rows.projects, config.project)
      const isOwn = project?.organization === organization.id
      return isOwn && isOn(config) && plugin !== undefined && exportsData(plugin)
    })
    .sort((a, b) => a.id - b.id)
}

const isOn = ({ enabled, deleted }: PluginConfig): boolean => enabled && !deleted

/** Plugins whose capabilities are not known export nothing, and neither do global plugins that process events. */
function exportsData({ is_global, capabilities }: Plugin): boolean {
  const isObject =
    typeof capabilities === 'object' && capabilities !== null && !Array.isArray(capabilities)
  if (!isObject || JSON.stringify(capabilities) === '{}') return false
  const { methods } = capabilities as { readonly methods?: readonly string[] }
  return !(is_global && methods?.includes('processEvent'))
}

/** The values of secret fields are hidden. The fields are a list, or an object by key. */
function masked(config: PluginConfig['config'], schema: Json): Json {
  const fields: [string, Json][] = Array.isArray(schema)
    ? schema.map((field) => [(field as { readonly key?: string })?.key ?? '', field])
    : Object.entries(schema ?? {})
  const secrets = fields
    .filter(([, field]) => (field as { readonly secret?: boolean } | null)?.secret)
    .map(([key]) => key)
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => {
      return [key, secrets.includes(key) && value ? '****************' : value]
    }),
  )
}

/** Documented: the installed plugin that comes first in the catalogue. */
export function firstCatalogued(call: PluginCall): Json {
  const installed = call.rows.repository.flatMap(({ url }) =>
    visible(call, call.organization).filter((row) => withoutQuery(row.url) === url),
  )
  return orNone(call, installed[0])
}

export function catalogue({ rows }: PluginCall): Json {
  return rows.repository.map(({ versions: _, ...entry }) => entry)
}

/** Documented: the first plugin of the organization without an enabled configuration. */
export function firstUnused(call: PluginCall): Json {
  const unused = visible(call, call.organization).find(({ id }) => isUnused(call.rows, id))
  return orNone(call, unused)
}

/** Live: the ids of these plugins, in all organizations. */
export function unusedIds({ rows }: PluginCall): Json {
  const ids = rows.plugins.map(({ id }) => id).filter((id) => isUnused(rows, id))
  return ids.sort((a, b) => a - b)
}

const isUnused = ({ plugin_configs }: Rows, id: number): boolean =>
  !plugin_configs.some((config) => config.plugin === id && isOn(config))

/** The document promises a plugin, so an empty one stands for none. */
function orNone({ rows, organization }: PluginCall, row: Plugin | undefined): Json {
  if (row) return show(rows, row)
  const empty = { ...firstPlugin, id: 0, plugin_type: 'local', organization: organization.id }
  return Object.fromEntries(
    Object.entries(show(rows, empty)).map(([name, value]) => [name, value ?? '']),
  )
}
