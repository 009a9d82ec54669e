import { isBelowBaseUrl } from './address.ts'
import { isAlias } from './aliases.ts'
import type { ResponseContext } from './expected.ts'
import { type Leaf, mapLeaves } from './json.ts'
import type { ValueId, ValueOrigin } from './origins.ts'
import { generalizePath, identifyValue } from './tracks.ts'

/** Remembers which values came with an answer: a later request may use them. */
export function collectIds(body: unknown, hearing: ResponseContext): void {
  mapLeaves(body, (leaf, spot) => {
    collectId(leaf, identifyValue(leaf, spot, hearing), hearing)
    return leaf
  })
}

/** The same of one value. @param track what trackOf says of it */
export function collectId(leaf: Leaf, track: ValueId | null, hearing: ResponseContext): void {
  const { origins, baseUrl, step } = hearing
  if (track && !isFromRequest(leaf, hearing)) origins.addFromResponse(track.key, step)
  if (typeof leaf !== 'string' || !isBelowBaseUrl(leaf, baseUrl)) return
  generalizePath(leaf.slice(baseUrl.length), (key) => {
    origins.addMention(key, step)
    return null
  })
}

/** Where a value that was learnt from an answer stands in it, the first time. */
export function findOrigin(body: unknown, wanted: string, hearing: ResponseContext): ValueOrigin {
  let found: ValueOrigin | undefined
  mapLeaves(body, (leaf, spot) => {
    const track = found ? null : identifyValue(leaf, spot, hearing)
    if (track?.key === wanted && !isFromRequest(leaf, hearing)) {
      found = { pointer: spot.pointer, name: track.name, type: typeof leaf }
    }
    return leaf
  })
  if (!found) throw new Error(`Failed to find ${wanted} in the answer that it was heard in.`)
  return found
}

/** Whether a request brought a value in: then it is no answer's. */
function isFromRequest(leaf: Leaf, { isHeard }: ResponseContext): boolean {
  return typeof leaf === 'string' && isAlias(leaf) && !isHeard(leaf)
}
