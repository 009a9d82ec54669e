import { describeJsonError } from '../not-json.ts'
import { UsageError } from '../usage-error.ts'
import type { WorldJson } from '../world/world-json.ts'
import { hasValidChecksum } from './seal.ts'
import { stripTabWrites } from './writes.ts'

/** What has a world that can be kept, as a simulator has. */
export interface PersistableWorld {
  readonly world: { toTexts(): Iterable<string> }
  /**
   * Goes on with a world that was kept.
   *
   * @param isSealed whether this version wrote it as it is, so that it needs no check
   * @throws UsageError with every fault
   */
  resume(world: WorldJson, isSealed: boolean): void
  /** Tells of each change of the rows. @returns what ends the telling */
  onChange(listener: () => void): () => void
  /** What has to come before a text can be resumed; null where nothing has. */
  readonly prepare?: (text: string) => Promise<void> | null
}

/** Where a state is kept, in words. */
export interface StateLocation {
  /** Of what is kept, such as `state.json`. */
  readonly name: string
  /** What to do about one that cannot be read. */
  readonly cure: string
}

/**
 * Lets a simulator go on with a state that was kept: whole, or not at all.
 *
 * @throws UsageError for a text that is no JSON or no world, or of a later format than this version knows
 */
export function resumeState(
  simulator: Pick<PersistableWorld, 'resume'>,
  text: string,
  { name, cure }: StateLocation,
): void {
  const world = parseState(text, { name, cure })
  try {
    simulator.resume(world, isTrusted(text))
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    throw new UsageError(`Failed to read the state ${name}. ${cure}\n${error.message}`)
  }
}

/** Whether a state is as this version wrote it. */
export function isTrusted(text: string): boolean {
  return hasValidChecksum(stripTabWrites(text))
}

function parseState(given: string, { name, cure }: StateLocation): WorldJson {
  // Some editors write a mark before the text.
  const text = given.replace(/^\uFEFF/, '')
  try {
    const state = JSON.parse(text)
    if (typeof state !== 'object' || state === null || Array.isArray(state)) return state as never
    const { seal: _, writes: __, ...world } = state
    return world
  } catch (error) {
    throw new UsageError(
      `Failed to read the state ${name}: expected JSON, got ${describeJsonError(text, error)}. ${cure}`,
    )
  }
}
