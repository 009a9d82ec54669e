import { UsageError } from '../../utils/errors.ts'
import { type PersistOptions, persistIn } from '../../world/persistence/persist-in-storage.ts'
import type { PersistableWorld } from '../../world/persistence/persisted-world.ts'

/**
 * Where a page stores its world. `tab`: in the `sessionStorage` of the tab, so that each tab has its own world until
 * it is closed. `none`: nowhere, so that each reload starts with a new world.
 */
export type Persist = 'tab' | 'none'

/** The storage of a page. A browser that denies it throws when the property is read. */
type PageStorage = Pick<Window, 'sessionStorage'>

/**
 * Persists the world of a page: resumes a saved world, then saves after each change.
 *
 * @returns a function that stops saving
 * @throws UsageError for a denied storage, or a storage item that is not a world
 */
export function persistWorld(
  simulator: PersistableWorld,
  persist: Persist,
  options: Required<PersistOptions>,
  page: PageStorage = globalThis as typeof globalThis & PageStorage,
): () => void {
  if (persist === 'none') return () => {}
  return persistIn(simulator, openStorage(page), options)
}

function openStorage(page: PageStorage): Storage {
  let problem = 'it does not exist'
  try {
    if (page.sessionStorage) return page.sessionStorage
  } catch (error) {
    const { name, message } = error as Error
    problem = `${name}: ${message}`
  }
  throw new UsageError(
    `Failed to start in the browser: this page cannot use sessionStorage (${problem}). Allow this site to store data in ` +
      "the settings of the browser, or pass persist: 'none' to start with a new world after each reload.",
  )
}
