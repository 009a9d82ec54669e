import { isUsageError, UsageError } from '../../utils/errors.ts'
import { parseJsonText } from '../../utils/json-file.ts'
import { checkOptions, option, optionsSchema } from '../../utils/options.ts'
import type { WorldJson } from '../world-json.ts'

/** The methods of `sessionStorage` that are used. */
export interface WorldStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
}

/** The options of `persistIn`. */
export interface PersistOptions {
  /** The key of the storage item; default: `understudy` */
  readonly key?: string
  /** Called when saving fails for the first time after it worked; default: `console.error` */
  readonly onError?: (error: unknown) => void
}

const persistSchema = optionsSchema<PersistOptions>({ key: option.text, onError: option.callback })

/**
 * Persists the world of a simulator in the storage of a page, so that it survives a reload: resumes the saved world,
 * then saves after each change. `reset` still restores the rows that the simulator started with.
 *
 * The world is saved in a microtask after the change, before the response reaches the page: a reload cannot overtake
 * it, and fake timers cannot stop it. Storage holds about five megabytes.
 *
 * @returns a function that stops saving; the storage keeps its item
 * @throws UsageError for a storage item that is not a world; the item stays
 * @example
 * const simulator = createSimulator()
 * persistIn(simulator, sessionStorage)
 * await setupWorker(...simulator.handlers).start()
 */
export function persistIn(
  simulator: PersistableWorld,
  storage: WorldStorage,
  options: PersistOptions = {},
): () => void {
  checkOptions(persistSchema, options, 'persist the world')
  const { key = 'understudy', onError = console.error } = options
  const hint = 'It was not changed: remove the item to start with a new world.'
  const text = storage.getItem(key)
  if (text !== null) resumeWorld(simulator, text, { name: `storage item "${key}"`, hint })
  let isScheduled = false
  let hasFailed = false
  const save = () => {
    isScheduled = false
    try {
      storage.setItem(key, simulator.world.toText())
      hasFailed = false
    } catch (error) {
      if (!hasFailed) onError(storageError(key, error as Error))
      hasFailed = true
    }
  }
  return simulator.onChange(() => {
    if (isScheduled) return
    isScheduled = true
    Promise.resolve().then(save)
  })
}

function storageError(key: string, { name, message }: Error) {
  return new UsageError(
    `Failed to save the state in the storage item "${key}": ${name}. ` +
      `The simulator continues, and the item is unchanged. Use a smaller world. (${message})`,
  )
}

/** A simulator whose world is kept. */
export interface PersistableWorld {
  readonly world: { toText(): string }
  /** Replaces the rows by those of a saved world. @throws UsageError with up to 100 issues */
  restore(world: WorldJson): void
  onChange(listener: () => void): () => void
}

interface PersistedLocation {
  /** For example `state file state.json` */
  readonly name: string
  readonly hint: string
}

/** Resumes a saved state: all or nothing. @throws UsageError for invalid JSON, an invalid world or a later format */
export function resumeWorld(
  simulator: Pick<PersistableWorld, 'restore'>,
  text: string,
  { name, hint }: PersistedLocation,
): void {
  const world = parseJsonText(text, `The ${name}`, hint) as WorldJson
  try {
    simulator.restore(world)
  } catch (error) {
    if (!isUsageError(error)) throw error
    throw new UsageError(`Failed to read the ${name}. ${hint}\n${error.message}`)
  }
}
