import { defineEndpoint, type Endpoint } from '../../http/endpoint.ts'
import { integer, listOf } from '../../http/fields/shape.ts'
import { pageShape } from '../../http/parameters.ts'
import { byPolicy } from '../../policies/by-policy.ts'
import { joinJsonRows, sliceRows } from '../../utils/json-text.ts'
import { type PluginListInput, type PluginsWorld, paginationByPolicy } from './handler-input.ts'
import { organizationParams, pluginShape } from './plugin.ts'

export const listUnusedPlugins: Endpoint<PluginsWorld> = defineEndpoint({
  id: 'listUnusedPlugins',
  summary: 'List the plugins that no configuration uses.',

  method: 'GET',
  path: '/api/organizations/:organization_id/plugins/unused',
  scope: byPolicy('plugins.unused.scope'),

  params: organizationParams,
  query: paginationByPolicy('plugins.unused.body', 'ids'),
  status: 200,
  response: byPolicy('plugins.unused.body', {
    plugin: pluginShape,
    ids: listOf(integer),
    envelope: pageShape(integer),
  }),
  errors: ['not_found'],

  handle: byPolicy('plugins.unused.body', {
    plugin: ({ organization }: PluginListInput, { plugins }: PluginsWorld) =>
      plugins.firstUnusedPlugin(organization),
    ids: (_: PluginListInput, { plugins }: PluginsWorld) => joinJsonRows(plugins.listUnusedIds()),
    envelope: ({ query }: PluginListInput, { plugins }: PluginsWorld) =>
      sliceRows(plugins.listUnusedIds(), query),
  }),
})
