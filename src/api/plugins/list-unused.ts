import type { Operation } from '../../http/endpoint.ts'
import { integer } from '../../http/fields/body-fields.ts'
import { isUnusedPlugin } from './configurations.ts'
import { pluginsOf } from './install.ts'
import { defineOtherList } from './other-list.ts'

/** Seen in the live service: the ids are those of the plugins of all organizations. */
export const listUnusedPlugins: Operation = defineOtherList({
  operation: 'listUnusedPlugins',
  list: 'plugins',
  summary: 'List the plugins that no configuration uses.',
  name: 'unused',
  row: integer,
  rows: (_, { tables }) =>
    [...tables.plugins.values()].filter((row) => isUnusedPlugin(row, tables)).map(({ id }) => id),
  first: ({ id }, { tables }) => pluginsOf(id, tables).find((row) => isUnusedPlugin(row, tables)),
})
