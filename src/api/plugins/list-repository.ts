import { defineEndpoint, type Endpoint } from '../../http/endpoint.ts'
import { listOf } from '../../http/fields/shape.ts'
import { pageShape } from '../../http/parameters.ts'
import { byPolicy } from '../../policies/by-policy.ts'
import { joinJsonRows, sliceRows } from '../../utils/json-text.ts'
import { type PluginListInput, type PluginsWorld, paginationByPolicy } from './handler-input.ts'
import { catalogueEntryShape } from './install.ts'
import { organizationParams, pluginShape } from './plugin.ts'

export const listPluginRepository: Endpoint<PluginsWorld> = defineEndpoint({
  id: 'listPluginRepository',
  summary: 'List the plugin catalogue.',

  method: 'GET',
  path: '/api/organizations/:organization_id/plugins/repository',
  scope: byPolicy('plugins.repository.scope'),

  params: organizationParams,
  query: paginationByPolicy('plugins.repository.body', 'catalogue'),
  status: 200,
  response: byPolicy('plugins.repository.body', {
    plugin: pluginShape,
    catalogue: listOf(catalogueEntryShape),
    envelope: pageShape(catalogueEntryShape),
  }),
  errors: ['not_found'],

  handle: byPolicy('plugins.repository.body', {
    plugin: ({ organization }: PluginListInput, { plugins }: PluginsWorld) =>
      plugins.firstCataloguePlugin(organization),
    catalogue: (_: PluginListInput, { plugins }: PluginsWorld) =>
      joinJsonRows(plugins.listCatalogue()),
    envelope: ({ query }: PluginListInput, { plugins }: PluginsWorld) =>
      sliceRows(plugins.listCatalogue(), query),
  }),
})
