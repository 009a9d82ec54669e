import { version } from '../version.ts'

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
