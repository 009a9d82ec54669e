import { UsageError } from '../../utils/usage-error.ts'
import { addChecksum, type PersistableWorld, resumeState } from './saved-state.ts'

/** What of `sessionStorage` and `localStorage` is used. */
export interface StateStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
}

/** How a world is kept in a storage. */
export interface PersistOptions {
  /** What it is kept under; by default `understudy`. */
  readonly key?: string
  /** Told once when saving fails, and again when it fails after it worked; by default console.error. */
  readonly onError?: (error: unknown) => void
}

/**
 * Keeps a simulator's world in the page's storage, so that it survives a reload: goes on with the one that is
 * there, and saves after each change. `reset` still goes back to where the simulator began.
 *
 * Saved is before the answer reaches the page: when the work that changed rows is done, and without a timer,
 * which a reload could overtake and a test could stop. That takes a millisecond for a thousand rows; storage
 * holds five megabytes or so.
 *
 * @returns what ends it; the storage keeps what it has
 * @throws UsageError for a storage that holds no world under this key; it is left as it is
 * @example
 * const simulator = createSimulator()
 * persistIn(simulator, sessionStorage)
 * await setupWorker(...simulator.handlers).start()
 */
export function persistIn(
  simulator: PersistableWorld,
  storage: StateStorage,
  { key = 'understudy', onError = console.error }: PersistOptions = {},
): () => void {
  const cure = `It was left as it is: remove the item to begin anew.`
  const text = storage.getItem(key)
  if (text !== null) resumeState(simulator, text, { name: `item "${key}"`, cure })
  let isSaving = false
  let hasFailed = false
  const save = (): void => {
    isSaving = false
    try {
      storage.setItem(key, addChecksum([...simulator.world.toTexts()].join('')))
      hasFailed = false
    } catch (error) {
      if (!hasFailed) onError(storageError(key, error))
      hasFailed = true
    }
  }
  return simulator.onChange(() => {
    if (isSaving) return
    isSaving = true
    Promise.resolve().then(save)
  })
}

function storageError(key: string, error: unknown): UsageError {
  const { name, message } = error as Error
  return new UsageError(
    `Failed to save the state in the storage item "${key}": expected room for the world, got ${name} (${message}). ` +
      'The simulator goes on; what was saved before is still there. Use a smaller world.',
  )
}
