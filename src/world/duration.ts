import { didYouMean, unexpectedValue } from '../usage-error.ts'

/** A length of time, in the units given; they add up. */
export interface Duration {
  readonly milliseconds?: number
  readonly seconds?: number
  readonly minutes?: number
  readonly hours?: number
  readonly days?: number
}

const units = {
  milliseconds: 1,
  seconds: 1_000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
}

/**
 * A duration in milliseconds.
 *
 * @throws UsageError for what is no duration; its field is the unit at fault
 * @example lengthOf({ minutes: 1, seconds: 30 }) // 90000
 */
export function toMilliseconds(duration: Duration): number {
  const isObject = typeof duration === 'object' && duration !== null && !Array.isArray(duration)
  const counts = isObject ? Object.entries(duration) : null
  const wrong = counts?.find(([unit, count]) => !isUnit(unit) || !Number.isFinite(count))
  if (counts && !wrong) {
    return counts.reduce((sum, [unit, count]) => sum + count * units[unit as keyof Duration], 0)
  }
  const names = Object.keys(units)
  const meant = wrong && !isUnit(wrong[0]) ? didYouMean(wrong[0], names) : undefined
  throw unexpectedValue(
    'advance the clock',
    `numbers of ${names.join(', ')}`,
    duration,
    meant,
    wrong?.[0],
  )
}

function isUnit(name: string): boolean {
  return Object.hasOwn(units, name)
}
