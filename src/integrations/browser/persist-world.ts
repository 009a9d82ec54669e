import { UsageError, unexpectedValue } from '../../utils/errors.ts'
import { type PersistOptions, persistIn } from '../../world/persistence/persist-in-storage.ts'
import type { PersistableWorld } from '../../world/persistence/persisted-world.ts'
import { createStartError } from './start-errors.ts'

/**
 * Where a page stores its world. `tab`: in the `sessionStorage` of the tab, so that each tab has its own world until
 * it is closed. `none`: nowhere, so that each reload starts with a new world.
 */
export type Persist = 'tab' | 'none'

/** The storage of a page. A browser that denies it throws when the property is read. */
export type PageStorage = Pick<Window, 'sessionStorage'>

/**
 * Persists the world of a page: resumes a saved world, then saves after each change.
 *
 * @returns a function that stops saving
 * @throws UsageError for an unknown `persist`, a denied storage, or a storage item that is not a world
 */
export function persistWorld(
  simulator: PersistableWorld,
  persist: Persist,
  options: Required<PersistOptions>,
  page: PageStorage = globalThis as typeof globalThis & PageStorage,
): () => void {
  if (persist === 'none') return () => {}
  checkPersist(persist)
  return persistIn(simulator, openStorage(page), options)
}

function checkPersist(persist: string): void {
  if (persist === 'tab') return
  if (persist === 'shared')
    throw new UsageError(
      'persist: "shared" was removed. Use one server for several tabs: npx understudy-api serve.',
    )
  throw unexpectedValue('start in the browser', 'persist as one of tab, none', persist)
}

function openStorage(page: PageStorage): Storage {
  let problem = 'it does not exist'
  try {
    if (page.sessionStorage) return page.sessionStorage
  } catch (error) {
    const { name, message } = error as Error
    problem = `${name}: ${message}`
  }
  throw createStartError('noStorage', [problem])
}
