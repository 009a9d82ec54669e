import type { ApiContext, Operation } from '../../http/endpoint.ts'
import * as s from '../../http/fields/body-fields.ts'
import { isObject, mapValues } from '../../utils/json.ts'
import type { PluginRow } from '../../world/entities/plugin.ts'
import type { OrganizationRow, PluginConfigRow } from '../../world/rows.ts'
import type { Tables } from '../../world/tables.ts'
import { defineOtherList } from './other-list.ts'
import { pluginShape, pluginsOf, pluginWriter } from './plugin.ts'

export const pluginConfigurationShape = s.objectOf({
  id: s.integer,
  plugin: s.integer,
  enabled: s.bool,
  order: s.integer,
  config: s.recordOf(s.anyJson),
  error: s.nullShape,
  team_id: s.integer,
  plugin_info: pluginShape,
  delivery_rate_24h: s.nullShape,
  created_at: s.dateTime,
  updated_at: s.dateTime,
  name: s.nullableShape(s.anyText),
  description: s.nullableShape(s.anyText),
  deleted: s.bool,
})

export const listExportsUnsubscribeConfigs: Operation = defineOtherList({
  operation: 'listExportsUnsubscribeConfigs',
  list: 'plugins',
  summary: 'List the enabled configurations of plugins that count as exporting.',
  name: 'exports_unsubscribe_configs',
  row: pluginConfigurationShape,
  rows: (organization, context) =>
    findExportConfigurations(organization, context.tables).map(({ config, plugin }) =>
      toConfiguration(config, plugin, context),
    ),
  first(organization, { tables }) {
    const configurations = findExportConfigurations(organization, tables)
    const exporting = new Set(configurations.map(({ plugin }) => plugin.id))
    return pluginsOf(organization.id, tables).find(({ id }) => exporting.has(id))
  },
})

const maskedValue = '****************'

/** The enabled export configurations in the projects of an organization, by id. */
function findExportConfigurations(
  { id }: OrganizationRow,
  tables: Tables,
): { config: PluginConfigRow; plugin: PluginRow }[] {
  return [...tables.plugin_configs.values()]
    .filter(({ project }) => tables.projects.get(project)?.organization === id)
    .map((config) => ({ config, plugin: tables.plugins.get(config.plugin) as PluginRow }))
    .filter(({ config, plugin }) => config.enabled && !config.deleted && exportsData(plugin))
}

/** Values of secret fields are masked. */
function toConfiguration(config: PluginConfigRow, plugin: PluginRow, context: ApiContext) {
  return s.pickFields(pluginConfigurationShape, {
    ...config,
    config: maskSecrets(config.config, plugin.config_schema),
    error: null,
    team_id: config.project,
    plugin_info: JSON.parse(pluginWriter(context).write(plugin).text),
    delivery_rate_24h: null,
  })
}

/** Plugins without analysed capabilities do not export data, and neither do global plugins that process events. */
function exportsData({ is_global, capabilities }: PluginRow) {
  if (!isObject(capabilities) || Object.keys(capabilities).length === 0) return false
  const methods = Array.isArray(capabilities.methods) ? capabilities.methods : []
  return !(is_global && methods.includes('processEvent'))
}

function maskSecrets<Config extends object>(config: Config, schema: unknown) {
  const secrets = secretFields(schema)
  return mapValues(config, (value, name) => (secrets.has(name) && value ? maskedValue : value))
}

/** A schema is a list of fields that each have a key, or an object of fields by key. */
function secretFields(schema: unknown) {
  const fields = Array.isArray(schema)
    ? schema.map((field) => [field?.key, field])
    : Object.entries(isObject(schema) ? schema : {})
  return new Set(fields.filter(([, field]) => field?.secret === true).map(([key]) => String(key)))
}
