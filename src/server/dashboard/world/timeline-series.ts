import type { Timeline } from '../../../world/edit/find-rows.ts'

/** Returns the number of annotations of each scope, largest first. */
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
 * Returns the data of a stacked bar chart. A bar is as high as its own count and those of all later scopes, since
 * later series are drawn over earlier ones.
 *
 * @returns the times in seconds, then the heights of each scope
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
