import type { Tables } from './tables.ts'
import { worldLists } from './world-lists.ts'

const lists = worldLists.filter((list) => list !== 'keys' && list !== 'repository')

/** How many rows each list of a world has. */
export function countsOf(tables: Tables): Record<string, number> {
  return Object.fromEntries(lists.map((list) => [list, tables[list].size]))
}
