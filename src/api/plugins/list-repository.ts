import type { Operation } from '../../http/endpoint.ts'
import { catalogueEntryShape, findCatalogueEntry, listCatalogue, pluginsOf } from './install.ts'
import { defineOtherList } from './other-list.ts'

export const listPluginRepository: Operation = defineOtherList({
  operation: 'listPluginRepository',
  list: 'plugins',
  summary: 'List the plugin catalogue.',
  name: 'repository',
  row: catalogueEntryShape,
  rows: (_, { tables }) => listCatalogue(tables),
  /** The one that comes first in the catalogue. */
  first({ id }, { tables }) {
    const listed = pluginsOf(id, tables)
      .map((row) => ({ row, position: findCatalogueEntry(row.url, tables)?.id }))
      .filter(({ position }) => position !== undefined)
      .sort((a, b) => Number(a.position) - Number(b.position))
    return listed[0]?.row
  },
})
