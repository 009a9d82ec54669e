import type { Recorded } from './recorded.ts'

/** Whether a request is a recorded one. */
type IsSame = (recorded: Recorded) => boolean

/**
 * The recorded request that a request is, where each is answered once. Writes come in their order; a read comes
 * between the writes that it was recorded between, in any order, since browsers ask several at once. One that a
 * write has overtaken is still answered, but of two equal ones the one after that write comes first.
 */
export function inOrder(recorded: readonly Recorded[], isSame: IsSame): Recorded | undefined {
  const next = nextWrite(recorded)
  const last = recorded.findLast(({ isWrite, asked }) => isWrite && asked > 0)
  const open = recorded.filter(
    (one) => one.asked === 0 && (!next || one.index <= next.index) && isSame(one),
  )
  return open.find(({ index }) => !last || index > last.index) ?? open[0]
}

/** The first write that was not asked yet: what comes after it has to wait. */
export function nextWrite(recorded: readonly Recorded[]): Recorded | undefined {
  return recorded.find(({ isWrite, asked }) => isWrite && asked === 0)
}

/**
 * The recorded request that answers a request where order and repetition do not matter: an equal one, else of
 * those with its method and path the one that differs least. Of several each in turn, then the last again.
 *
 * @param distanceOf in how many places it differs; undefined for another method or path
 */
export function inAnyOrder(
  recorded: readonly Recorded[],
  distanceOf: (recorded: Recorded) => number | undefined,
): Recorded | undefined {
  const distances = recorded.map((one) => distanceOf(one) ?? Number.POSITIVE_INFINITY)
  const least = Math.min(...distances)
  if (least === Number.POSITIVE_INFINITY) return undefined
  const nearest = recorded.filter((_, at) => distances[at] === least)
  return nearest.find(({ asked }) => asked === 0) ?? nearest.at(-1)
}
