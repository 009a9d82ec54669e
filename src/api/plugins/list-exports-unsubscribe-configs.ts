import type { Operation } from '../../http/endpoint.ts'
import {
  findExportConfigurations,
  pluginConfigurationShape,
  toConfiguration,
} from './configurations.ts'
import { pluginsOf } from './install.ts'
import { defineOtherList } from './other-list.ts'

export const listExportsUnsubscribeConfigs: Operation = defineOtherList({
  operation: 'listExportsUnsubscribeConfigs',
  list: 'plugins',
  summary: 'List the configurations that export data.',
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
