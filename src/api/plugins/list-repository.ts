import type { Operation } from '../../http/endpoint.ts'
import { anyJson, anyText, bool, objectOf } from '../../http/fields/body-fields.ts'
import { findCatalogueEntry } from './install.ts'
import { defineOtherList } from './other-list.ts'
import { pluginsOf } from './plugin.ts'

/** Entries can have additional fields, which are returned unchanged. */
export const catalogueEntryShape = objectOf(
  { name: anyText, url: anyText, description: anyText, verified: bool, maintainer: anyText },
  anyJson,
)

export const listPluginRepository: Operation = defineOtherList({
  operation: 'listPluginRepository',
  list: 'plugins',
  summary: 'List the plugin catalogue.',
  name: 'repository',
  row: catalogueEntryShape,
  rows: (_, { tables }) =>
    [...tables.repository.values()].map(({ id: _, versions: __, ...entry }) => entry),
  /** The one that comes first in the catalogue. */
  first({ id }, { tables }) {
    const listed = pluginsOf(id, tables)
      .map((row) => ({ row, position: findCatalogueEntry(row.url, tables)?.id }))
      .filter(({ position }) => position !== undefined)
      .sort((a, b) => Number(a.position) - Number(b.position))
    return listed[0]?.row
  },
})
