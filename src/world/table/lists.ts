import type { CountedList } from '../world-json.ts'
import type { Tables, WorldRows } from './tables.ts'

/** The name of a list of rows, as in the world format. */
export type ListName = keyof WorldRows

/** The lists in the order of a world file: each list comes after the lists that its rows reference. */
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

/** The lists whose ids are counted up. */
export const countedListNames: readonly CountedList[] = worldLists.filter(
  (list): list is CountedList => !listsWithoutCountedIds.includes(list),
)

const countableLists = worldLists.filter((list) => list !== 'keys' && list !== 'repository')

/** The number of rows of each list. */
export function countRows(tables: Tables): Record<string, number> {
  return Object.fromEntries(countableLists.map((list) => [list, tables[list].size]))
}

/** The id of the next row of each list. */
export function getNextIds(tables: Tables): Record<CountedList, number> {
  const ids = countedListNames.map((list) => [list, tables[list].nextId])
  return Object.fromEntries(ids) as Record<CountedList, number>
}

/** Called after each write. `before` is undefined for a new row, `after` for a removed one. */
type WriteListener = (list: ListName, before: object | undefined, after: object | undefined) => void

/** Calls a listener after each write to these tables. Forks are not observed. */
export function observeTables(tables: Tables, onWrite: WriteListener): void {
  for (const list of worldLists) {
    tables[list].onWrite = (before, after) => onWrite(list, before, after)
  }
}

/** Observes the rows of a sandbox. */
export interface WorldObserver {
  /** Called after each write */
  readonly rowWritten: WriteListener
  /** Called after all rows were replaced */
  readonly rowsReplaced: () => void
}

/** The observers of a sandbox. Most sandboxes have one at most. */
export class WorldObservers implements WorldObserver {
  #all: readonly WorldObserver[] = []

  /** @returns a function that removes the observer */
  add(observer: WorldObserver): () => void {
    this.#all = [...this.#all, observer]
    return () => {
      this.#all = this.#all.filter((other) => other !== observer)
    }
  }

  rowWritten(...write: Parameters<WriteListener>): void {
    for (const observer of this.#all) observer.rowWritten(...write)
  }

  rowsReplaced(): void {
    for (const observer of this.#all) observer.rowsReplaced()
  }
}
