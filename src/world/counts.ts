import type { Tables } from './tables.ts'

const lists = [
  'organizations',
  'projects',
  'users',
  'dashboard_items',
  'plugins',
  'plugin_configs',
  'annotations',
  'activity',
] as const

/** How many rows each list of a world has. */
export function countsOf(tables: Tables): Record<string, number> {
  return Object.fromEntries(lists.map((list) => [list, tables[list].size]))
}
