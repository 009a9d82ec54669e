import { parseDateTime } from '../../utils/python/date-time.ts'
import type { RowContext } from './row-context.ts'

export const minute: number = 60_000
const hour = 60 * minute
const day = 24 * hour

/** The service can store the years 1 to 9999. */
const minTime = Date.parse('0001-01-01T00:00:00Z')
const maxTime = Date.parse('9999-12-31T23:59:59Z')

/** Parses a time in any format that the service accepts into milliseconds since 1970, without its fraction. */
export function parseMoment(time: string): number {
  return Date.parse(`${parseDateTime(time).slice(0, 19)}Z`)
}

/** Formats a time like the service: to the second, or with microseconds. */
export function formatMoment(moment: number, microseconds = 0): string {
  const text = new Date(Math.min(Math.max(moment, minTime), maxTime)).toISOString().slice(0, 19)
  return microseconds === 0 ? `${text}Z` : `${text}.${String(microseconds).padStart(6, '0')}Z`
}

/** A random minute in the year before now. It ends some hours ago, so that everything is over and annotated. */
export function randomMoment({ now, fake }: Pick<RowContext, 'now' | 'fake'>): number {
  const ago = fake.number.int({ min: 4 * hour, max: 365 * day })
  return Math.floor((now - ago) / minute) * minute
}

interface Timestamps {
  readonly created_at: string
  readonly updated_at: string
}

/**
 * Creates the timestamps of a row. Seen in the live service: they are mostly microseconds apart. `updated_at` is never
 * before `created_at`.
 */
export function createTimestamps(
  overrides: { readonly [Name in keyof Timestamps]?: string | null | undefined },
  { now, fake }: Pick<RowContext, 'now' | 'fake'>,
  moment: number,
): Timestamps {
  const edited = moment + fake.number.int({ min: hour, max: 10 * day })
  const isEdited = fake.datatype.boolean(0.15) && edited < now
  const microseconds = fake.number.int({ min: 1, max: 999_900 })
  const { created_at, updated_at } = overrides
  if (created_at) return { created_at, updated_at: created_at }
  const latest = updated_at ? parseMoment(updated_at) - 1000 : Number.POSITIVE_INFINITY
  const created = Math.min(moment, latest)
  return {
    created_at: formatMoment(created, microseconds),
    updated_at: isEdited
      ? formatMoment(edited, microseconds)
      : formatMoment(created, microseconds + fake.number.int({ min: 9, max: 99 })),
  }
}
