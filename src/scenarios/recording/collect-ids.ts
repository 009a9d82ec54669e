import { isAlias } from './aliases.ts'
import type { ResponseContext } from './generalize-response.ts'
import type { ValueId, ValueOrigin } from './id-registry.ts'
import { generalizePath, identifyValue, type Leaf, mapLeaves } from './identify-values.ts'
import { isBelowBaseUrl } from './request-parts.ts'

/** Remembers which values came with an answer: a later request may use them. */
function collectIds(body: unknown, hearing: ResponseContext): void {
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

/**
 * The answer that came last, until its values are remembered: on the way, where its step is put together, else when
 * the next request comes. So it is looked through once.
 */
export class PendingResponse {
  #waiting: { readonly body: unknown; readonly hearing: ResponseContext } | null = null

  /** Another one: what waited is to be remembered before. */
  set(body: unknown, hearing: ResponseContext): void {
    this.#waiting = { body, hearing }
  }

  /** Whether it is the answer of a step, and its values are not remembered yet. */
  isFrom(step: number): boolean {
    return this.#waiting?.hearing.step === step
  }

  /** Its values are remembered. */
  clear(): void {
    this.#waiting = null
  }

  /** Remembers its values, unless that is done. */
  collect(): void {
    if (this.#waiting) collectIds(this.#waiting.body, this.#waiting.hearing)
    this.clear()
  }
}
