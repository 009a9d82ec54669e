import type { Endpoint } from '../../http/endpoint.ts'
import { pluginConfigurationShape } from './configurations.ts'
import { defineExtraList, type PluginsWorld } from './plugin-endpoint.ts'

export const listExportsUnsubscribeConfigs: Endpoint<PluginsWorld> = defineExtraList({
  id: 'listExportsUnsubscribeConfigs',
  summary: 'List the configurations that export data.',
  name: 'exports_unsubscribe_configs',
  row: pluginConfigurationShape,
  rows: (plugins, organization) => plugins.listExportConfigurations(organization),
  first: (plugins, organization) => plugins.firstExportingPlugin(organization),
})
