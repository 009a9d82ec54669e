import type { Timeline } from '../../../world/edit/timeline.ts'

/** How many annotations each scope has in all, the most frequent first. */
export function countByScope({ steps }: Timeline): (readonly [scope: string, count: number])[] {
  const totals = new Map<string, number>()
  for (const { counts } of steps) {
    for (const [scope, count] of Object.entries(counts)) {
      totals.set(scope, (totals.get(scope) ?? 0) + count)
    }
  }
  return [...totals].sort((a, b) => b[1] - a[1])
}

/**
 * Bars that stand upon each other: those of each scope reach as high as all that are drawn over them, and it itself.
 *
 * @returns the times in seconds, and for each scope its heights
 */
export function stackCounts(
  timeline: Timeline,
  scopes: readonly string[],
): [number[], ...number[][]] {
  const { steps } = timeline
  const times = steps.map(({ at }) => Date.parse(at) / 1_000)
  const heights = scopes.map((_, first) =>
    steps.map(({ counts }) =>
      scopes.slice(first).reduce((sum, scope) => sum + (counts[scope] ?? 0), 0),
    ),
  )
  return [times, ...heights]
}
