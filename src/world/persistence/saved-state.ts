import { isObject } from '../../utils/json.ts'
import { parseJsonText } from '../../utils/parse-json-text.ts'
import { UsageError } from '../../utils/usage-error.ts'
import { version } from '../../utils/version.ts'
import type { WorldJson } from '../world-json.ts'

export interface PersistableWorld {
  readonly world: { toTexts(): Iterable<string> }
  /**
   * Replaces the rows by those of a saved world.
   *
   * @param needsCheck false for a world that this version wrote and that was not changed since
   * @throws UsageError with every issue
   */
  resume(world: WorldJson, needsCheck: boolean): void
  /** Calls a listener after each change of the rows. @returns a function that removes the listener */
  onChange(listener: () => void): () => void
  /** Loads whatever `resume` needs for this text. */
  readonly prepare?: (text: string) => Promise<void>
}

/** Where a state is saved, for messages. */
interface StateLocation {
  /** For example `state file state.json` */
  readonly name: string
  /** What to do about a state that cannot be read */
  readonly hint: string
}

/** Resumes a saved state: all or nothing. @throws UsageError for invalid JSON, an invalid world or a later format */
export function resumeState(
  simulator: Pick<PersistableWorld, 'resume'>,
  text: string,
  { name, hint }: StateLocation,
): void {
  const world = parseState(text, { name, hint })
  try {
    simulator.resume(world, !isTrusted(text))
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    throw new UsageError(`Failed to read the ${name}. ${hint}\n${error.message}`)
  }
}

function parseState(text: string, { name, hint }: StateLocation): WorldJson {
  const state = parseJsonText(text, `The ${name}`, hint)
  if (!isObject(state)) return state as WorldJson
  const { checksum: _, ...world } = state
  return world
}

const checksumPrefix = /^\{"checksum":"(\w+)",\n/

/**
 * Adds a checksum to the text of a world, as its first field. A world with a valid checksum is loaded unchecked, which
 * is faster. This is no protection against deliberate changes.
 *
 * @example addChecksum('{"seed":1}') // '{"checksum":"1h2k…",\n"seed":1}'
 */
export function addChecksum(world: string): string {
  return `{"checksum":"${checksumOf(world, 1)}",\n${world.slice(1)}`
}

/** Whether this version wrote a text, and nothing changed it since. */
export function isTrusted(text: string): boolean {
  const [prefix = '', checksum] = checksumPrefix.exec(text) ?? []
  return checksum !== undefined && checksum === checksumOf(text, prefix.length)
}

/** A 64-bit hash of this version and of the text after `from`: two rounds of FNV-1a with different seeds. */
function checksumOf(text: string, from: number): string {
  let one = 0x811c9dc5
  let two = 0x01000193
  for (let index = 0; index < version.length; index++) one = mixHash(one, version.charCodeAt(index))
  for (let index = from; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    one = mixHash(one, unit)
    two = mixHash(two, unit ^ (one >>> 24))
  }
  return (one >>> 0).toString(36) + (two >>> 0).toString(36)
}

function mixHash(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193)
}
