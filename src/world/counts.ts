import type { Tables } from './tables.ts'
import { countedNames, worldLists } from './world-lists.ts'

const lists = worldLists.filter((list) => list !== 'keys' && list !== 'repository')

/** How many rows each list of a world has. */
export function countsOf(tables: Tables): Record<string, number> {
  return Object.fromEntries(lists.map((list) => [list, tables[list].size]))
}

/** The id that the next row of each list gets, where it gives none. */
export function nextIdsOf(tables: Tables): Record<(typeof countedNames)[number], number> {
  const ids = countedNames.map((list) => [list, tables[list].nextId])
  return Object.fromEntries(ids) as Record<(typeof countedNames)[number], number>
}
