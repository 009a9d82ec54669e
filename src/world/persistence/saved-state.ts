import { isObject } from '../../utils/json.ts'
import { parseJsonText } from '../../utils/parse-json-text.ts'
import { UsageError } from '../../utils/usage-error.ts'
import { version } from '../../utils/version.ts'
import type { WorldJson } from '../world-json.ts'
import { stripTabWrites } from './tab-writes.ts'

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

function parseState(text: string, { name, cure }: StateLocation): WorldJson {
  const state = parseJsonText(text, name, cure)
  if (!isObject(state)) return state as never
  const { seal: _, writes: __, ...world } = state
  return world
}

/** Where a seal stands in the text of a world: first, before all that it is of. */
const checksumPrefix = /^\{"seal":"(\w+)",\n/

/**
 * The text of a world, with a seal that tells that this version wrote it and that nobody changed it since: it needs
 * no check when it is read. It keeps nobody out.
 *
 * @example withSeal('{"seed":1}') // '{"seal":"1h2k…",\n"seed":1}'
 */
export function addChecksum(world: string): string {
  return `{"seal":"${checksumOf(world, 1)}",\n${world.slice(1)}`
}

/** Whether a text is as this version sealed it. @example isSealed(withSeal(text)) // true */
export function hasValidChecksum(text: string): boolean {
  const [start = '', seal] = checksumPrefix.exec(text) ?? []
  return seal !== undefined && seal === checksumOf(text, start.length)
}

/** Of all that stands from there on: 64 bits by two rounds of FNV-1a, which differ in what they begin with. */
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

function mixHash(state: number, unit: number): number {
  return Math.imul(state ^ unit, 0x01000193)
}
