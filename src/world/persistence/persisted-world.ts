import { isUsageError, UsageError } from '../../utils/errors.ts'
import { parseJsonText } from '../../utils/json-file.ts'
import type { WorldJson } from '../world-json.ts'

/** A simulator whose world is kept. */
export interface PersistableWorld {
  readonly world: { toText(): string }
  /** Replaces the rows by those of a saved world. @throws UsageError with every issue */
  restore(world: WorldJson): void
  /** Calls a listener after each change of the rows. @returns a function that removes the listener */
  onChange(listener: () => void): () => void
}

/** Where a state is saved, for messages. */
interface PersistedLocation {
  /** For example `state file state.json` */
  readonly name: string
  /** What to do about a state that cannot be read */
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
