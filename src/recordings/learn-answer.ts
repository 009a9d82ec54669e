import { isBelow } from './address.ts'
import { isAlias } from './aliases.ts'
import type { Hearing } from './expected.ts'
import { type Leaf, mapLeaves, type Spot } from './json.ts'
import type { Origin, Track } from './origins.ts'
import { namedPlace, trackOf } from './tracks.ts'

/** Remembers which values came with an answer: a later request may use them. */
export function learnAnswer(body: unknown, hearing: Hearing): void {
  const { origins, baseUrl, step } = hearing
  mapLeaves(body, (leaf, spot) => {
    const track = heardTrack(leaf, spot, hearing)
    if (track) origins.heard(track.key, step)
    if (typeof leaf === 'string' && isBelow(leaf, baseUrl)) {
      namedPlace(leaf.slice(baseUrl.length), (key) => {
        origins.mentioned(key, step)
        return null
      })
    }
    return leaf
  })
}

/** Where a value that was learnt from an answer stands in it, the first time. */
export function originIn(body: unknown, wanted: string, hearing: Hearing): Origin {
  let found: Origin | undefined
  mapLeaves(body, (leaf, spot) => {
    const track = found ? null : heardTrack(leaf, spot, hearing)
    if (track?.key === wanted) {
      found = { pointer: spot.pointer, name: track.name, type: typeof leaf }
    }
    return leaf
  })
  if (!found) throw new Error(`Failed to find ${wanted} in the answer that it was heard in.`)
  return found
}

/** A value that an answer brought. What a request brought in is no answer's. */
function heardTrack(leaf: Leaf, spot: Spot, hearing: Hearing): Track | null {
  const isSent = typeof leaf === 'string' && isAlias(leaf) && !hearing.isHeard(leaf)
  return isSent ? null : trackOf(leaf, spot, hearing)
}
