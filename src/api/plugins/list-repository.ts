import type { Endpoint } from '../../http/endpoint.ts'
import { catalogueEntryShape } from './install.ts'
import { defineExtraList, type PluginsWorld } from './plugin-endpoint.ts'

export const listPluginRepository: Endpoint<PluginsWorld> = defineExtraList({
  id: 'listPluginRepository',
  summary: 'List the plugin catalogue.',
  name: 'repository',
  row: catalogueEntryShape,
  rows: (plugins) => plugins.listCatalogue(),
  first: (plugins, organization) => plugins.firstCataloguePlugin(organization),
})
