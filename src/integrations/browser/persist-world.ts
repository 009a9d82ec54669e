import type { Router } from '../../sandbox/router.ts'
import { UsageError, unexpectedValue } from '../../utils/usage-error.ts'
import { buildWorld } from '../../world/load/build-world.ts'
import { exportWorldText } from '../../world/load/export-world.ts'
import type { loadWorld } from '../../world/load/load-world.ts'
import { persistIn } from '../../world/persistence/persist-in-storage.ts'
import { isTrusted, type PersistableWorld } from '../../world/persistence/saved-state.ts'
import { uncheckedFields } from '../../world/world-format.ts'
import type { Persist } from './options.ts'
import { shareWorld } from './share-world.ts'

/** How a world is kept. */
export interface PersistWorldOptions {
  readonly persist: Persist
  readonly key: string
  readonly onError: (error: unknown) => void
}

/** The storages of a page; a browser that denies them throws where they are read. */
export type PageStorages = Pick<Window, 'sessionStorage' | 'localStorage'>

/**
 * Keeps a world as it was asked for: goes on with the one that is there, and saves after each change.
 *
 * @returns what ends it
 * @throws UsageError for a storage that is denied, or holds no world under the key
 */
export async function persistWorld(
  simulator: PersistableWorld,
  { persist, key, onError }: PersistWorldOptions,
  page: PageStorages = globalThis as unknown as PageStorages,
): Promise<() => void> {
  if (persist === 'none') return () => {}
  if (persist !== 'tab' && persist !== 'shared')
    throw unexpectedValue('start in the browser', 'persist as one of tab, shared, none', persist)
  const storage = openStorage(page, persist === 'tab' ? 'sessionStorage' : 'localStorage')
  const text = storage.getItem(key)
  if (text !== null) await simulator.prepare?.(text)
  const keep = persist === 'tab' ? persistIn : shareWorld
  return keep(simulator, storage, { key, onError })
}

function openStorage(page: PageStorages, name: keyof PageStorages): Storage {
  const found = accessStorage(page, name)
  if (found && typeof found !== 'string') return found
  throw new UsageError(
    `Failed to start in the browser: expected a page that may use its ${name}, got ${found ?? 'one without'}. ` +
      "Let it keep data in the browser's settings for this site, or begin anew with each reload by persist: 'none'.",
  )
}

/** The storage, or why there is none. */
function accessStorage(page: PageStorages, name: keyof PageStorages): Storage | string | null {
  try {
    return page[name] ?? null
  } catch (error) {
    const { name: kind, message } = error as Error
    return `${kind} (${message})`
  }
}

/** The world of a service, to be kept. What checks a world is loaded for one that something else wrote. */
export function toPersistable({ sandbox }: Router): PersistableWorld {
  let checked: typeof loadWorld = () => {
    throw new Error('Failed to resume a state: expected it to be prepared.')
  }
  let isLoaded = false
  return {
    world: { toTexts: () => exportWorldText(sandbox.snapshot()) },
    onChange: (listener) => sandbox.observers.add({ rowWritten: listener, rowsReplaced: listener }),
    resume(world, isSealed) {
      if (isSealed) sandbox.restore(buildWorld(world))
      else sandbox.restore(checked(world, uncheckedFields(sandbox.policyTracker.untracked)))
    },
    prepare(text) {
      if (isLoaded || isTrusted(text)) return null
      return import('../../world/load/load-world.ts').then((load) => {
        checked = load.loadWorld
        isLoaded = true
      })
    },
  }
}
