import { parseDateTime } from '../../python/datetime.ts'

export const second: number = 1000
export const minute: number = 60 * second
export const hour: number = 60 * minute
export const day: number = 24 * hour

/** What the service can store: from the year 1 to the year 9999. */
const first = Date.parse('0001-01-01T00:00:00Z')
const last = Date.parse('9999-12-31T23:59:59Z')

/** Milliseconds since 1970 of a time in any form that the service accepts; a fraction does not count. */
export function parseMoment(time: string): number {
  return Date.parse(`${parseDateTime(time).slice(0, 19)}Z`)
}

/** A time as the service writes it: to the second, or to the microsecond where some are given. */
export function formatMoment(moment: number, microseconds = 0): string {
  const text = new Date(Math.min(Math.max(moment, first), last)).toISOString().slice(0, 19)
  return microseconds === 0 ? `${text}Z` : `${text}.${String(microseconds).padStart(6, '0')}Z`
}

/** @example timeOfDay(Date.parse('2024-06-03T14:05:00Z')) // '14:05' */
export function timeOfDay(moment: number): string {
  return formatMoment(moment).slice(11, 16)
}

export function dayStart(moment: number): number {
  return Math.floor(moment / day) * day
}

/** Counts weeks, each from Sunday on. */
export function weekNumber(moment: number): number {
  return Math.floor((moment / day + 4) / 7)
}

export function isWeekend(moment: number): boolean {
  return [0, 6].includes(new Date(moment).getUTCDay())
}
