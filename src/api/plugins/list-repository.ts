import type { Endpoint } from '../../http/endpoint.ts'
import { defineExtraList } from './extra-list.ts'
import type { PluginsWorld } from './handler-input.ts'
import { catalogueEntryShape } from './install.ts'

export const listPluginRepository: Endpoint<PluginsWorld> = defineExtraList({
  id: 'listPluginRepository',
  summary: 'List the plugin catalogue.',
  name: 'repository',
  plainSetting: 'catalogue',
  row: catalogueEntryShape,
  rows: (plugins) => plugins.listCatalogue(),
  first: (plugins, organization) => plugins.firstCataloguePlugin(organization),
})
