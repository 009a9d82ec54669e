import { isAlias } from './aliases.ts'
import type { Hearing } from './expected.ts'
import { mapLeaves } from './json.ts'
import { namedPlace, trackOf } from './tracks.ts'

/** Remembers which values came with an answer: a later request may use them. */
export function learnAnswer(body: unknown, hearing: Hearing): void {
  const { origins, baseUrl, step, isHeard } = hearing
  mapLeaves(body, (leaf, spot) => {
    const track = trackOf(leaf, spot, hearing)
    // What a request brought in is no answer's.
    const isOwn = typeof leaf === 'string' && isAlias(leaf) && !isHeard(leaf)
    if (track && !isOwn) origins.heard(track, step, spot.pointer, leaf)
    if (typeof leaf === 'string' && leaf.startsWith(`${baseUrl}/`)) {
      namedPlace(leaf.slice(baseUrl.length), (key) => {
        origins.mentioned(key, step)
        return null
      })
    }
    return leaf
  })
}
