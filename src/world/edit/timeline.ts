import type { Tables } from '../table/tables.ts'
import { type AnnotationQuery, findAnnotations, validateAnnotationQuery } from './find-rows.ts'

/** How long a step of a timeline is. */
export type TimelineUnit = 'hour' | 'day' | 'week' | 'month' | 'year'

/** How many annotations lie in a step of time, scope by scope. */
export interface TimelineStep {
  /** ISO 8601, UTC: when it begins */
  readonly at: string
  readonly counts: Readonly<Record<string, number>>
}

/** Annotations by their date_marker. */
export interface Timeline {
  readonly unit: TimelineUnit
  /** Those that hold any, the earliest first */
  readonly steps: readonly TimelineStep[]
  /** How many have no date_marker */
  readonly undated: number
}

const hour = 3_600_000
const day = 24 * hour

/** Each unit with the longest time that is divided by it: so many steps can be told apart. */
const units: readonly (readonly [TimelineUnit, number])[] = [
  ['hour', 4 * day],
  ['day', 120 * day],
  ['week', 2 * 366 * day],
  ['month', 10 * 366 * day],
  ['year', Number.POSITIVE_INFINITY],
]

/** Counts annotations by time and scope. @throws UsageError that names the field at fault */
export function buildTimeline(given: AnnotationQuery, tables: Tables): Timeline {
  const entries = findAnnotations(validateAnnotationQuery(given), tables)
  const found = entries.slice(0, Number.POSITIVE_INFINITY)
  const dated = found.filter(({ row }) => row.date_marker !== null)
  // They are listed newest first; merged lists of several projects are, too.
  const times = dated.map(({ row }) => Date.parse(row.date_marker as string))
  const span = (times[0] ?? 0) - (times.at(-1) ?? 0)
  const unit = units.find(([, longest]) => span <= longest)?.[0] ?? 'year'
  const steps = new Map<number, Map<string, number>>()
  for (const [index, { row }] of dated.entries()) {
    const at = startOfStep(times[index] as number, unit)
    const counts = steps.get(at) ?? new Map<string, number>()
    counts.set(row.scope, (counts.get(row.scope) ?? 0) + 1)
    steps.set(at, counts)
  }
  return {
    unit,
    steps: [...steps].reverse().map(([at, counts]) => ({
      at: new Date(at).toISOString(),
      // A scope may be called as anything, __proto__ among it.
      counts: Object.fromEntries(counts),
    })),
    undated: found.length - dated.length,
  }
}

/** When the step began that a time lies in. Weeks begin on Monday. */
function startOfStep(time: number, unit: TimelineUnit): number {
  if (unit === 'hour') return Math.floor(time / hour) * hour
  if (unit === 'day') return Math.floor(time / day) * day
  // The first of January 1970 was a Thursday.
  if (unit === 'week') return (Math.floor((time / day + 3) / 7) * 7 - 3) * day
  const date = new Date(time)
  const first = new Date(0)
  first.setUTCFullYear(date.getUTCFullYear(), unit === 'month' ? date.getUTCMonth() : 0, 1)
  return first.getTime()
}
