import { type PersistOptions, persistIn } from '../persistence/persist-in.ts'
import { resume } from '../persistence/state.ts'
import type { Simulator } from '../simulator.ts'
import { UsageError } from '../usage-error.ts'

/** Tells one tab of what others wrote; the page does. */
export type TabEvents = Pick<Window, 'addEventListener' | 'removeEventListener'>

/**
 * Keeps a world in a storage that all tabs have, and has all of them go on with what any of them wrote.
 *
 * A tab learns of another's write when the browser tells it, which takes milliseconds. Where two write before
 * either is told, the later one wins as a whole: what the earlier one wrote is gone, all tabs go on with the same
 * world, and the tab whose write took its place is told.
 *
 * @returns what ends it; the storage keeps what it has
 * @throws UsageError for a storage that holds no world under this key; it is left as it is
 */
export function shareIn(
  simulator: Simulator,
  storage: Storage,
  { key = 'understudy', onError = console.error }: PersistOptions,
  events: TabEvents = globalThis as unknown as Window,
): () => void {
  let current = storage.getItem(key)
  let taken = current
  let isTaking = false
  let end = persistIn(
    simulator,
    {
      getItem: (name) => storage.getItem(name),
      setItem(name, text) {
        // What came from there is there.
        if (!isTaking) {
          storage.setItem(name, text)
          current = text
        }
        isTaking = false
      },
    },
    { key, onError },
  )
  const take = (text: string): void => {
    try {
      isTaking = true
      resume(simulator, text, { name: `item "${key}"`, cure: cutOff })
      current = taken = text
    } catch (error) {
      stop()
      onError(error)
    }
  }
  const hear = ({ storageArea, key: changed, newValue }: StorageEvent): void => {
    if (storageArea !== storage || changed !== key) return
    // Not what the event brings: by now something else may stand there, which then is what holds.
    const text = storage.getItem(key)
    if (text === null) return
    if (text !== current) take(text)
    else if (text !== taken && newValue !== null && newValue !== text && newValue !== taken)
      onError(overwritten(key))
  }
  const stop = (): void => {
    end()
    end = () => {}
    events.removeEventListener('storage', hear)
  }
  events.addEventListener('storage', hear)
  return stop
}

/** A later version of the page may have written it. */
const cutOff =
  'It was left as it is. This tab goes on alone and saves nothing from here on: reload it.'

function overwritten(key: string): UsageError {
  return new UsageError(
    `Failed to save what two tabs wrote at once in the storage item "${key}": expected one at a time, got two within ` +
      'milliseconds. What this tab wrote holds in all tabs, what the other one wrote is gone: do it again there.',
  )
}
