import { isSameJson } from '../utils/json.ts'
import type { Observation } from './observation.ts'

/** In milliseconds: how long after a response somebody presses a button again. */
const pressedAgain = 10_000

/** In milliseconds: how long the first of two creates takes in a test. A second click comes sooner. */
const longestDelay = 250

/**
 * Finds the creates that a client sent a second time, before or soon after the response of the first one, and no other
 * write between them: a button was pressed twice. Three or more are rows that the client wanted.
 *
 * @returns how long a test delays the response of each, by the indexes of the first ones: milliseconds
 */
export function findDoubleCreates(
  observations: readonly Observation[],
): ReadonlyMap<number, number> {
  const writes = observations.filter(({ method }) => method !== 'GET' && method !== 'HEAD')
  const isAgain = (first: Observation, other: Observation | undefined): boolean =>
    other?.status === 201 &&
    other.key === first.key &&
    other.list === first.list &&
    isSameJson(other.sent, first.sent) &&
    other.from < first.until + pressedAgain
  const delays = new Map<number, number>()
  for (const first of writes) {
    if (first.verb !== 'create' || first.status !== 201) continue
    const own = writes.filter(({ key }) => key === first.key)
    const at = own.indexOf(first)
    const [before, second, third] = [own[at - 1], own[at + 1], own[at + 2]]
    const isThird = second && isAgain(second, third)
    if (!second || !isAgain(first, second) || isThird) continue
    if (before?.verb === 'create' && isAgain(before, first)) continue
    const isBefore = second.from < first.until
    delays.set(first.index, isBefore ? Math.min(first.until - first.from, longestDelay) : 0)
  }
  return delays
}
