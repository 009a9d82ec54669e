import { nextTurn } from './wait.ts'

/** Work that other code can interrupt: each step takes a few milliseconds at most. */
export type Steps<T> = Generator<undefined, T, undefined>

/** How many rows one step handles. */
export const stepSize = 1024

/** Takes all steps at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** How long work keeps other events waiting, in milliseconds. A request may need two turns, and then a collection. */
export const maxBlockingMs = 5

/** Takes the steps, and lets other events run in between. @param onStep called after each step */
export async function finishBetweenEvents<T>(steps: Steps<T>, onStep?: () => void): Promise<T> {
  for (;;) {
    const pause = performance.now() + maxBlockingMs
    do {
      const { done, value } = steps.next()
      if (done) return value
      onStep?.()
    } while (performance.now() < pause)
    await nextTurn()
  }
}

/** Sorts a list in steps. Returns a new list. @param compare a strict total order */
export function* sortInSteps<T>(items: readonly T[], compare: (a: T, b: T) => number): Steps<T[]> {
  let runs: T[][] = []
  for (let start = 0; start < items.length; start += stepSize) {
    runs.push(items.slice(start, start + stepSize).sort(compare))
    yield
  }
  while (runs.length > 1) {
    const longer: T[][] = []
    for (let at = 0; at < runs.length; at += 2) {
      longer.push(yield* mergeInSteps(runs[at] as T[], runs[at + 1] ?? [], compare))
    }
    runs = longer
  }
  return runs[0] ?? []
}

function* mergeInSteps<T>(
  left: readonly T[],
  right: readonly T[],
  compare: (a: T, b: T) => number,
): Steps<T[]> {
  const isBefore = (a: T | undefined, b: T | undefined) => a && b && compare(a, b) < 0
  yield
  if (isBefore(left.at(-1), right[0])) return left.concat(right)
  if (isBefore(right.at(-1), left[0])) return right.concat(left)
  const merged: T[] = []
  let [fromLeft, fromRight] = [0, 0]
  while (fromLeft < left.length && fromRight < right.length) {
    const isLeft = compare(left[fromLeft] as T, right[fromRight] as T) < 0
    merged.push((isLeft ? left[fromLeft++] : right[fromRight++]) as T)
    if (merged.length % stepSize === 0) yield
  }
  return merged.concat(left.slice(fromLeft), right.slice(fromRight))
}
