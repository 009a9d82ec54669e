import type { Tables } from './tables.ts'
import { countedListNames, worldLists } from './world-lists.ts'

const countableLists = worldLists.filter((list) => list !== 'keys' && list !== 'repository')

/** How many rows each list of a world has. */
export function countRows(tables: Tables): Record<string, number> {
  return Object.fromEntries(countableLists.map((list) => [list, tables[list].size]))
}

/** The id that the next row of each list gets, where it gives none. */
export function getNextIds(tables: Tables): Record<(typeof countedListNames)[number], number> {
  const ids = countedListNames.map((list) => [list, tables[list].nextId])
  return Object.fromEntries(ids) as Record<(typeof countedListNames)[number], number>
}
