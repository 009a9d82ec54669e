/** Work that other code can interrupt: each step takes a few milliseconds at most. */
export type Steps<T> = Generator<undefined, T, undefined>

/** How many rows one step handles. */
export const stepSize = 1024

/** Handles so many items in steps. @param run handles those from `start` up to `end` */
export function* inSlices(count: number, run: (start: number, end: number) => void): Steps<void> {
  for (let start = 0; start < count; start += stepSize) {
    run(start, Math.min(start + stepSize, count))
    yield
  }
}

/** Takes all steps at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** Sorts a list in steps. Returns a new list. @param compare a strict total order */
export function* sortInSteps<T>(items: readonly T[], compare: (a: T, b: T) => number): Steps<T[]> {
  let runs: T[][] = []
  for (let start = 0; start < items.length; start += stepSize) {
    runs.push(items.slice(start, start + stepSize).sort(compare))
    yield
  }
  // Most lists are in order, or in the reverse order.
  const inOrder = joinInOrder(runs, compare) ?? joinInOrder(runs.toReversed(), compare)
  if (inOrder) return inOrder
  while (runs.length > 1) {
    const longer: T[][] = []
    for (let at = 0; at < runs.length; at += 2) {
      longer.push(yield* mergeInSteps(runs[at] as T[], runs[at + 1] ?? [], compare))
    }
    runs = longer
  }
  return runs[0] ?? []
}

/** Returns null if a run does not come after the one before it. Runs can be empty. */
function joinInOrder<T>(
  runs: readonly (readonly T[])[],
  compare: (a: T, b: T) => number,
): T[] | null {
  const isInOrder = runs.every((run, at) => {
    const [last, first] = [runs[at - 1]?.at(-1), run[0]]
    return last === undefined || first === undefined || compare(last, first) < 0
  })
  return isInOrder ? ([] as T[]).concat(...runs) : null
}

function* mergeInSteps<T>(
  left: readonly T[],
  right: readonly T[],
  compare: (a: T, b: T) => number,
): Steps<T[]> {
  const inOrder = joinInOrder([left, right], compare) ?? joinInOrder([right, left], compare)
  yield
  if (inOrder) return inOrder
  const merged: T[] = []
  let [fromLeft, fromRight] = [0, 0]
  while (fromLeft < left.length && fromRight < right.length) {
    const isLeft = compare(left[fromLeft] as T, right[fromRight] as T) < 0
    merged.push((isLeft ? left[fromLeft++] : right[fromRight++]) as T)
    if (merged.length % stepSize === 0) yield
  }
  return merged.concat(left.slice(fromLeft), right.slice(fromRight))
}
