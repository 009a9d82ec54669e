import { isBelow } from './address.ts'
import { isAlias } from './aliases.ts'
import type { Hearing } from './expected.ts'
import { type Leaf, mapLeaves } from './json.ts'
import type { Origin, Track } from './origins.ts'
import { namedPlace, trackOf } from './tracks.ts'

/** Remembers which values came with an answer: a later request may use them. */
export function learnAnswer(body: unknown, hearing: Hearing): void {
  mapLeaves(body, (leaf, spot) => {
    learnLeaf(leaf, trackOf(leaf, spot, hearing), hearing)
    return leaf
  })
}

/** The same of one value. @param track what trackOf says of it */
export function learnLeaf(leaf: Leaf, track: Track | null, hearing: Hearing): void {
  const { origins, baseUrl, step } = hearing
  if (track && !isBroughtIn(leaf, hearing)) origins.heard(track.key, step)
  if (typeof leaf !== 'string' || !isBelow(leaf, baseUrl)) return
  namedPlace(leaf.slice(baseUrl.length), (key) => {
    origins.mentioned(key, step)
    return null
  })
}

/** Where a value that was learnt from an answer stands in it, the first time. */
export function originIn(body: unknown, wanted: string, hearing: Hearing): Origin {
  let found: Origin | undefined
  mapLeaves(body, (leaf, spot) => {
    const track = found ? null : trackOf(leaf, spot, hearing)
    if (track?.key === wanted && !isBroughtIn(leaf, hearing)) {
      found = { pointer: spot.pointer, name: track.name, type: typeof leaf }
    }
    return leaf
  })
  if (!found) throw new Error(`Failed to find ${wanted} in the answer that it was heard in.`)
  return found
}

/** Whether a request brought a value in: then it is no answer's. */
function isBroughtIn(leaf: Leaf, { isHeard }: Hearing): boolean {
  return typeof leaf === 'string' && isAlias(leaf) && !isHeard(leaf)
}
