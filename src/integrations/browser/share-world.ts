import { UsageError } from '../../utils/usage-error.ts'
import { type PersistOptions, persistIn } from '../../world/persistence/persist-in-storage.ts'
import { type PersistableWorld, resumeState } from '../../world/persistence/saved-state.ts'
import {
  addTabWrites,
  hasMissingWrites,
  parseTabWrites,
  recordTabWrite,
} from '../../world/persistence/tab-writes.ts'

/** Tells one tab of what others wrote; the page does. */
export type StorageEventSource = Pick<Window, 'addEventListener' | 'removeEventListener'>

/**
 * Keeps a world in a storage that all tabs have, and has all of them go on with what any of them wrote.
 *
 * A tab learns of another's write when the browser tells it, which takes milliseconds. Where two write before
 * either is told, the later one wins as a whole: what the earlier one wrote is gone, all tabs go on with the same
 * world, and each tab whose world had it is told.
 *
 * @param tab what tells this tab from all others that ever had the world
 * @returns what ends it; the storage keeps what it has
 * @throws UsageError for a storage that holds no world under this key; it is left as it is
 */
export function shareWorld(
  simulator: PersistableWorld,
  storage: Storage,
  { key = 'understudy', onError = console.error }: PersistOptions,
  events: StorageEventSource = globalThis as unknown as Window,
  tab: string = crypto.randomUUID(),
): () => void {
  let current = storage.getItem(key)
  let writes = parseTabWrites(current)
  let isTaking = false
  let hasEnded = false
  const end = persistIn(
    simulator,
    {
      getItem: (name) => storage.getItem(name),
      setItem(name, world) {
        // What came from there is there.
        if (!isTaking) {
          writes = recordTabWrite(tab, writes)
          const text = addTabWrites(world, writes)
          storage.setItem(name, text)
          current = text
        }
        isTaking = false
      },
    },
    { key, onError },
  )
  const fail = (error: unknown): void => {
    stop()
    onError(error)
  }
  const take = (text: string): void => {
    try {
      isTaking = true
      resumeState(simulator, text, { name: `item "${key}"`, cure: detachedHint })
    } catch (error) {
      fail(error)
      return
    }
    // Not by the order of events: some come when their write has long been taken, or written over.
    const isLost = hasMissingWrites(writes, parseTabWrites(text))
    writes = parseTabWrites(text)
    current = text
    if (isLost) onError(overwrittenError(key))
  }
  const hear = ({ storageArea, key: changed }: StorageEvent): void => {
    if (storageArea !== storage || changed !== key) return
    look()
  }
  const look = (): void => {
    // Not what the event brings: by now something else may stand there, which then is what holds.
    const text = storage.getItem(key)
    if (hasEnded || text === null || text === current) return
    const preparing = simulator.prepare?.(text)
    if (preparing) preparing.then(look, fail)
    else take(text)
  }
  const stop = (): void => {
    hasEnded = true
    end()
    events.removeEventListener('storage', hear)
  }
  events.addEventListener('storage', hear)
  return stop
}

/** A later version of the page may have written it. */
const detachedHint =
  'It was left as it is. This tab goes on alone and saves nothing from here on: reload it.'

function overwrittenError(key: string): UsageError {
  return new UsageError(
    `Failed to keep what two tabs wrote at once in the storage item "${key}": expected one at a time, got two within ` +
      'milliseconds. What the other tab wrote holds in all tabs, what this one had is gone: do it again.',
  )
}
