import type { Operation } from '../../http/endpoint.ts'
import { integer } from '../../http/fields/body-fields.ts'
import type { PluginRow } from '../../world/rows.ts'
import type { Tables } from '../../world/tables.ts'
import { defineOtherList } from './other-list.ts'
import { pluginsOf } from './plugin.ts'

/** As the service's source has it: the ids are those of the plugins of all organizations. */
export const listUnusedPlugins: Operation = defineOtherList({
  operation: 'listUnusedPlugins',
  list: 'plugins',
  summary: 'List the plugins without an enabled configuration.',
  name: 'unused',
  row: integer,
  rows: (_, { tables }) =>
    [...tables.plugins.values()].filter((row) => isUnused(row, tables)).map(({ id }) => id),
  first: ({ id }, { tables }) => pluginsOf(id, tables).find((row) => isUnused(row, tables)),
})

function isUnused({ id }: PluginRow, { plugin_configs }: Tables) {
  const configs = [...plugin_configs.values()]
  return !configs.some(({ plugin, enabled, deleted }) => plugin === id && enabled && !deleted)
}
