import type { Tables } from '../table/tables.ts'
import { type AnnotationQuery, findAnnotations, validateAnnotationQuery } from './find-rows.ts'

/** The length of a step of a timeline. */
export type TimelineUnit = 'hour' | 'day' | 'week' | 'month' | 'year'

/** A step of a timeline. */
export interface TimelineStep {
  /** ISO 8601, UTC: the start of the step */
  readonly at: string
  /** The number of annotations, by scope */
  readonly counts: Readonly<Record<string, number>>
}

/** Annotations by their date_marker. */
export interface Timeline {
  readonly unit: TimelineUnit
  /** The steps with annotations, the earliest first */
  readonly steps: readonly TimelineStep[]
  /** The number of annotations without a date_marker */
  readonly undated: number
}

const hour = 3_600_000
const day = 24 * hour

/** Each unit with the longest time span that it is used for. */
const units: readonly (readonly [TimelineUnit, number])[] = [
  ['hour', 4 * day],
  ['day', 120 * day],
  ['week', 2 * 366 * day],
  ['month', 10 * 366 * day],
  ['year', Number.POSITIVE_INFINITY],
]

/** Counts annotations by time and scope. @throws UsageError that names the invalid field */
export function buildTimeline(query: AnnotationQuery, tables: Tables): Timeline {
  const entries = findAnnotations(validateAnnotationQuery(query), tables).toArray()
  const dated = entries.filter(({ row }) => row.date_marker !== null)
  // The entries are ordered, the newest first.
  const times = dated.map(({ row }) => Date.parse(row.date_marker as string))
  const span = (times[0] ?? 0) - (times.at(-1) ?? 0)
  const unit = units.find(([, longest]) => span <= longest)?.[0] ?? 'year'
  const steps = new Map<number, Map<string, number>>()
  for (const [index, { row }] of dated.entries()) {
    const start = startOfStep(times[index] as number, unit)
    const counts = steps.get(start) ?? new Map<string, number>()
    counts.set(row.scope, (counts.get(row.scope) ?? 0) + 1)
    steps.set(start, counts)
  }
  return {
    unit,
    steps: [...steps].reverse().map(([start, counts]) => ({
      at: new Date(start).toISOString(),
      // Unlike an assignment, fromEntries is safe for a scope called __proto__.
      counts: Object.fromEntries(counts),
    })),
    undated: entries.length - dated.length,
  }
}

/** The start of the step that contains a time. Weeks start on Monday. */
function startOfStep(time: number, unit: TimelineUnit): number {
  if (unit === 'hour') return Math.floor(time / hour) * hour
  if (unit === 'day') return Math.floor(time / day) * day
  // The first of January 1970 was a Thursday.
  if (unit === 'week') return (Math.floor((time / day + 3) / 7) * 7 - 3) * day
  const date = new Date(time)
  const start = new Date(0)
  start.setUTCFullYear(date.getUTCFullYear(), unit === 'month' ? date.getUTCMonth() : 0, 1)
  return start.getTime()
}
