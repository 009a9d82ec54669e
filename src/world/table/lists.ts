import type { CountedList } from '../world-json.ts'
import type { Tables, WorldRows } from './tables.ts'

/** The lists of a world in the order of a file: each stands behind those that its rows name. */
export const worldLists: readonly ListName[] = [
  'organizations',
  'projects',
  'users',
  'keys',
  'dashboard_items',
  'repository',
  'plugins',
  'plugin_configs',
  'annotations',
  'activity',
]

const listsWithoutCountedIds: readonly ListName[] = ['organizations', 'keys', 'repository']

/** Those whose ids are counted. */
export const countedListNames: readonly CountedList[] = worldLists.filter(
  (list): list is CountedList => !listsWithoutCountedIds.includes(list),
)

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

/** The name of a list of rows, as in the world format. */
export type ListName = keyof WorldRows

/** Told of each write: the row before it, undefined for a new one, and after it, undefined for one taken out. */
type WriteListener = (list: ListName, before: object | undefined, after: object | undefined) => void

/** Has every write to these tables told; writes to their forks are not. */
export function observeTables(tables: Tables, onWrite: WriteListener): void {
  for (const list of worldLists) {
    tables[list].onWrite = (before, after) => onWrite(list, before, after)
  }
}

/** Wants to know when rows change. */
export interface WorldObserver {
  /** Told of each write. */
  readonly rowWritten: WriteListener
  /** Told when other rows have taken the place of all there were. */
  readonly rowsReplaced: () => void
}

/** Those who want to know when the rows of a sandbox change; most sandboxes have one at most. */
export class WorldObservers implements WorldObserver {
  #all: readonly WorldObserver[] = []

  /** @returns what ends the watching */
  add(watcher: WorldObserver): () => void {
    this.#all = [...this.#all, watcher]
    return () => {
      this.#all = this.#all.filter((other) => other !== watcher)
    }
  }

  rowWritten(...write: Parameters<WriteListener>): void {
    for (const watcher of this.#all) watcher.rowWritten(...write)
  }

  rowsReplaced(): void {
    for (const watcher of this.#all) watcher.rowsReplaced()
  }
}
