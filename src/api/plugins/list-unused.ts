import type { Endpoint } from '../../http/endpoint.ts'
import { integer } from '../../http/fields/body-fields.ts'
import { defineExtraList, type PluginsWorld } from './plugin-endpoint.ts'

export const listUnusedPlugins: Endpoint<PluginsWorld> = defineExtraList({
  id: 'listUnusedPlugins',
  summary: 'List the plugins that no configuration uses.',
  name: 'unused',
  row: integer,
  rows: (plugins) => plugins.listUnusedIds(),
  first: (plugins, organization) => plugins.firstUnusedPlugin(organization),
})
