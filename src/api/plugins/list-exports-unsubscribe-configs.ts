import { defineEndpoint, type Endpoint } from '../../http/endpoint.ts'
import { listOf } from '../../http/fields/shape.ts'
import { pageShape } from '../../http/parameters.ts'
import { byPolicy } from '../../policies/by-policy.ts'
import { joinJsonRows, sliceRows } from '../../utils/json-text.ts'
import { pluginConfigurationShape } from './configurations.ts'
import { type PluginListInput, type PluginsWorld, paginationByPolicy } from './handler-input.ts'
import { organizationParams, pluginShape } from './plugin.ts'

export const listExportsUnsubscribeConfigs: Endpoint<PluginsWorld> = defineEndpoint({
  id: 'listExportsUnsubscribeConfigs',
  summary: 'List the configurations that export data.',

  method: 'GET',
  path: '/api/organizations/:organization_id/plugins/exports_unsubscribe_configs',
  scope: byPolicy('plugins.exports_unsubscribe_configs.scope'),

  params: organizationParams,
  query: paginationByPolicy('plugins.exports_unsubscribe_configs.body', 'configurations'),
  status: 200,
  response: byPolicy('plugins.exports_unsubscribe_configs.body', {
    plugin: pluginShape,
    configurations: listOf(pluginConfigurationShape),
    envelope: pageShape(pluginConfigurationShape),
  }),
  errors: ['not_found'],

  handle: byPolicy('plugins.exports_unsubscribe_configs.body', {
    plugin: ({ organization }: PluginListInput, { plugins }: PluginsWorld) =>
      plugins.firstExportingPlugin(organization),
    configurations: ({ organization }: PluginListInput, { plugins }: PluginsWorld) =>
      joinJsonRows(plugins.listExportConfigurations(organization)),
    envelope: ({ organization, query }: PluginListInput, { plugins }: PluginsWorld) =>
      sliceRows(plugins.listExportConfigurations(organization), query),
  }),
})
