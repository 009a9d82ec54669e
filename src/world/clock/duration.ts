import { didYouMean, unexpectedValue } from '../../utils/errors.ts'

/** A duration: the sum of its units. */
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

/** Converts a duration to milliseconds. @throws UsageError for an invalid duration, with the unit as its field */
export function toMilliseconds(duration: Duration): number {
  const isObject = typeof duration === 'object' && duration !== null && !Array.isArray(duration)
  const counts = isObject ? Object.entries(duration) : null
  const invalid = counts?.find(([unit, count]) => !isUnit(unit) || !Number.isFinite(count))
  if (counts && !invalid) {
    return counts.reduce((sum, [unit, count]) => sum + count * units[unit as keyof Duration], 0)
  }
  const names = Object.keys(units)
  const meant = invalid && !isUnit(invalid[0]) ? didYouMean(invalid[0], names) : undefined
  const expected = `numbers of ${names.join(', ')}`
  throw unexpectedValue('advance the clock', expected, duration, meant, invalid?.[0])
}

function isUnit(name: string): boolean {
  return Object.hasOwn(units, name)
}
