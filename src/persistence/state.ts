import type { Simulator } from '../simulator.ts'
import { UsageError } from '../usage-error.ts'
import type { WorldJson } from '../world/world-json.ts'

/** Where a state is kept, in words. */
export interface Place {
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
export function resume(simulator: Simulator, text: string, { name, cure }: Place): void {
  const world = parse(text, { name, cure })
  try {
    simulator.resume(world)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    throw new UsageError(`Failed to read the state ${name}. ${cure}\n${error.message}`)
  }
}

function parse(text: string, { name, cure }: Place): WorldJson {
  try {
    // Some editors write a mark before the text.
    return JSON.parse(text.replace(/^\uFEFF/, '')) as WorldJson
  } catch (error) {
    const got = text === '' ? 'an empty text' : `a text that is none (${(error as Error).message})`
    throw new UsageError(`Failed to read the state ${name}: expected JSON, got ${got}. ${cure}`)
  }
}
