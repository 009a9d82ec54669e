import type { TrackedRequest } from './recorded.ts'

/** Whether a request is a recorded one. */
type Matches = (recorded: TrackedRequest) => boolean

/**
 * The recorded request that a request is, where each is answered once. Writes come in their order; a read comes
 * between the writes that it was recorded between, in any order, since browsers ask several at once. One that a
 * write has overtaken is still answered, but of two equal ones the one after that write comes first.
 */
export function findInOrder(
  recorded: readonly TrackedRequest[],
  isSame: Matches,
): TrackedRequest | undefined {
  const next = findNextWrite(recorded)
  const last = recorded.findLast(({ isWrite, asked }) => isWrite && asked > 0)
  const open = recorded.filter(
    (one) => one.asked === 0 && (!next || one.index <= next.index) && isSame(one),
  )
  return open.find(({ index }) => !last || index > last.index) ?? open[0]
}

/** The first write that was not asked yet: what comes after it has to wait. */
export function findNextWrite(recorded: readonly TrackedRequest[]): TrackedRequest | undefined {
  return recorded.find(({ isWrite, asked }) => isWrite && asked === 0)
}

/**
 * The recorded request that answers a request where order and repetition do not matter: an equal one, else of
 * those with its method and path the one that differs least. Of several each in turn, then the last again.
 *
 * @param distanceOf in how many places it differs; undefined for another method or path
 */
export function findClosest(
  recorded: readonly TrackedRequest[],
  distanceOf: (recorded: TrackedRequest) => number | undefined,
): TrackedRequest | undefined {
  const distances = recorded.map((one) => distanceOf(one) ?? Number.POSITIVE_INFINITY)
  const least = Math.min(...distances)
  if (least === Number.POSITIVE_INFINITY) return undefined
  const nearest = recorded.filter((_, at) => distances[at] === least)
  return nearest.find(({ asked }) => asked === 0) ?? nearest.at(-1)
}
