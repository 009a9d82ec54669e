import type { Dice } from './dice.ts'
import type { ListName } from './made.ts'
import type { Making, Part } from './making.ts'
import { day, hour, isWeekend, minute, second, startOfDay, toMoment, toTime } from './moments.ts'

/** Rows are spread over the year before now. */
const year = 365 * day

/** So long before now everything is over that was begun, and told. */
const settled = 4 * hour

export function yearBegin(now: number): number {
  return yearEnd(now) - year
}

export function yearEnd(now: number): number {
  return now - settled
}

/** A moment in the year; counted rows go through it in their order. */
export function someMoment({
  now,
  dice,
  part,
}: Pick<Making<ListName>, 'now' | 'dice' | 'part'>): number {
  const { index, of }: Part = part ?? { index: 0, of: 1 }
  const share = year / of
  return yearBegin(now) + Math.floor(dice.whole(0, Math.floor(share)) + index * share)
}

/** The last working hour, Monday to Friday from 9 to 17, on that day or before; none after `latest`. */
export function workingHourBefore(moment: number, latest: number, dice: Dice): number {
  const time = dice.whole(9 * 60, 17 * 60 - 1) * minute
  let start = startOfDay(moment)
  while (isWeekend(start) || start + time > latest) start -= day
  return start + time
}

/** A working hour on that day, or on the Monday after it. */
export function workingHourAfter(moment: number, dice: Dice): number {
  let start = startOfDay(moment)
  while (isWeekend(start)) start += day
  return start + dice.whole(9 * 60, 17 * 60 - 1) * minute
}

/** Between 7 and 9, on that day or before; not after `latest`. */
export function morningBefore(moment: number, latest: number, dice: Dice): number {
  const start = startOfDay(moment) + dice.whole(7 * 60, 9 * 60) * minute
  return start > latest ? start - day : start
}

interface Stamps {
  readonly created_at: string
  readonly updated_at: string
}

/** When a row was made and last changed: mostly microseconds apart, as observed (§10); in any case in this order. */
export function toStamps(
  given: { readonly [Name in keyof Stamps]?: string | null | undefined },
  { now, dice }: Pick<Making<ListName>, 'now' | 'dice'>,
  made: number,
): Stamps {
  const edited = made + dice.whole(hour, 10 * day)
  const isEdited = dice.odds(0.15) && edited < now
  const microseconds = dice.whole(1, 999_900)
  if (given.created_at) return { created_at: given.created_at, updated_at: given.created_at }
  const latest = given.updated_at ? toMoment(given.updated_at) - second : Number.POSITIVE_INFINITY
  const created = Math.min(made, latest)
  return {
    created_at: toTime(created, microseconds),
    updated_at: isEdited
      ? toTime(edited, dice.whole(1, 999_999))
      : toTime(created, microseconds + dice.whole(9, 99)),
  }
}
