import { parseDateTime } from '../../utils/python/date-time.ts'
import type { ListName } from '../tables.ts'
import type { RandomSource, RowContext } from './row-context.ts'

export const second: number = 1000
export const minute: number = 60 * second
export const hour: number = 60 * minute
export const day: number = 24 * hour

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

/** @example timeOfDay(Date.parse('2024-06-03T14:05:00Z')) // '14:05' */
export function timeOfDay(moment: number): string {
  return formatMoment(moment).slice(11, 16)
}

function dayStart(moment: number): number {
  return Math.floor(moment / day) * day
}

/** The number of the week since 1970. Weeks start on Sunday. */
export function weekNumber(moment: number): number {
  return Math.floor((moment / day + 4) / 7)
}

function isWeekend(moment: number): boolean {
  return [0, 6].includes(new Date(moment).getUTCDay())
}

/** Generated rows are spread over one year. */
const year = 365 * day

/** The year ends four hours before now, so that every generated event is over and annotated. */
const margin = 4 * hour

export function rangeStart(now: number): number {
  return rangeEnd(now) - year
}

export function rangeEnd(now: number): number {
  return now - margin
}

/** A random moment in the year. */
export function randomMoment({
  now,
  random,
}: Pick<RowContext<ListName>, 'now' | 'random'>): number {
  return rangeStart(now) + random.integer(0, year)
}

/** A random time on the last working day (Monday to Friday, 9 to 17) at or before a moment, and not after `latest`. */
export function workingHourOnOrBefore(
  moment: number,
  latest: number,
  random: RandomSource,
): number {
  const time = random.integer(9 * 60, 17 * 60 - 1) * minute
  let start = dayStart(moment)
  while (isWeekend(start) || start + time > latest) start -= day
  return start + time
}

/** A random working hour on the day of a moment, or on the Monday after it. */
export function workingHourOnOrAfter(moment: number, random: RandomSource): number {
  let start = dayStart(moment)
  while (isWeekend(start)) start += day
  return start + random.integer(9 * 60, 17 * 60 - 1) * minute
}

/** A random time between 7 and 9 on the day of a moment, or on the day before it if that is after `latest`. */
export function morningOnOrBefore(moment: number, latest: number, random: RandomSource): number {
  const start = dayStart(moment) + random.integer(7 * 60, 9 * 60) * minute
  return start > latest ? start - day : start
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
  { now, random }: Pick<RowContext<ListName>, 'now' | 'random'>,
  moment: number,
): Timestamps {
  const edited = moment + random.integer(hour, 10 * day)
  const isEdited = random.chance(0.15) && edited < now
  const microseconds = random.integer(1, 999_900)
  const { created_at, updated_at } = overrides
  if (created_at) return { created_at, updated_at: created_at }
  const latest = updated_at ? parseMoment(updated_at) - second : Number.POSITIVE_INFINITY
  const created = Math.min(moment, latest)
  return {
    created_at: formatMoment(created, microseconds),
    updated_at: isEdited
      ? formatMoment(edited, random.integer(1, 999_999))
      : formatMoment(created, microseconds + random.integer(9, 99)),
  }
}
