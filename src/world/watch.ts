import type { Tables, WorldRows } from './tables.ts'
import { worldLists } from './world-lists.ts'

/** The name of a list of rows, as in the world format. */
export type ListName = keyof WorldRows

/** Told of each write: the row before it, undefined for a new one, and after it, undefined for one taken out. */
export type WriteListener = (
  list: ListName,
  before: object | undefined,
  after: object | undefined,
) => void

/** Has every write to these tables told; writes to their forks are not. */
export function observeTables(tables: Tables, onWrite: WriteListener): void {
  for (const list of worldLists) {
    tables[list].onWrite = (before, after) => onWrite(list, before, after)
  }
}
