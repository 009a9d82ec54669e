import { parseDateTime } from '../../utils/python/date-time.ts'
import type { ListName } from './partial-rows.ts'
import type { RandomSource } from './random.ts'
import type { BatchPosition, RowContext } from './row-context.ts'

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

function dayStart(moment: number): number {
  return Math.floor(moment / day) * day
}

/** Counts weeks, each from Sunday on. */
export function weekNumber(moment: number): number {
  return Math.floor((moment / day + 4) / 7)
}

function isWeekend(moment: number): boolean {
  return [0, 6].includes(new Date(moment).getUTCDay())
}

/** Rows are spread over the year before now. */
const year = 365 * day

/** So long before now everything is over that was begun, and told. */
const settled = 4 * hour

export function rangeStart(now: number): number {
  return rangeEnd(now) - year
}

export function rangeEnd(now: number): number {
  return now - settled
}

/** A moment in the year; counted rows go through it in their order. */
export function randomMoment({
  now,
  random,
  position,
}: Pick<RowContext<ListName>, 'now' | 'random' | 'position'>): number {
  const { index, of }: BatchPosition = position ?? { index: 0, of: 1 }
  const share = year / of
  return rangeStart(now) + Math.floor(random.integer(0, Math.floor(share)) + index * share)
}

/** The last working hour, Monday to Friday from 9 to 17, on that day or before; none after `latest`. */
export function workingHourOnOrBefore(moment: number, latest: number, dice: RandomSource): number {
  const time = dice.integer(9 * 60, 17 * 60 - 1) * minute
  let start = dayStart(moment)
  while (isWeekend(start) || start + time > latest) start -= day
  return start + time
}

/** A working hour on that day, or on the Monday after it. */
export function workingHourOnOrAfter(moment: number, dice: RandomSource): number {
  let start = dayStart(moment)
  while (isWeekend(start)) start += day
  return start + dice.integer(9 * 60, 17 * 60 - 1) * minute
}

/** Between 7 and 9, on that day or before; not after `latest`. */
export function morningOnOrBefore(moment: number, latest: number, dice: RandomSource): number {
  const start = dayStart(moment) + dice.integer(7 * 60, 9 * 60) * minute
  return start > latest ? start - day : start
}

interface Timestamps {
  readonly created_at: string
  readonly updated_at: string
}

/** When a row was made and last changed: mostly microseconds apart, as observed (§10); in any case in this order. */
export function createTimestamps(
  given: { readonly [Name in keyof Timestamps]?: string | null | undefined },
  { now, random }: Pick<RowContext<ListName>, 'now' | 'random'>,
  made: number,
): Timestamps {
  const edited = made + random.integer(hour, 10 * day)
  const isEdited = random.chance(0.15) && edited < now
  const microseconds = random.integer(1, 999_900)
  if (given.created_at) return { created_at: given.created_at, updated_at: given.created_at }
  const latest = given.updated_at
    ? parseMoment(given.updated_at) - second
    : Number.POSITIVE_INFINITY
  const created = Math.min(made, latest)
  return {
    created_at: formatMoment(created, microseconds),
    updated_at: isEdited
      ? formatMoment(edited, random.integer(1, 999_999))
      : formatMoment(created, microseconds + random.integer(9, 99)),
  }
}
