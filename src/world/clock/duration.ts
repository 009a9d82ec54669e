import * as z from 'zod'
import { parseOptions } from '../../utils/errors.ts'

/** A duration: the sum of its units. */
export interface Duration {
  readonly milliseconds?: number
  readonly seconds?: number
  readonly minutes?: number
  readonly hours?: number
  readonly days?: number
}

const units: Required<Duration> = {
  milliseconds: 1,
  seconds: 1_000,
  minutes: 60_000,
  hours: 3_600_000,
  days: 86_400_000,
}

const count = z.number().exactOptional()
export const durationSchema: z.ZodType<Duration> = z.strictObject(
  { milliseconds: count, seconds: count, minutes: count, hours: count, days: count },
  {
    error: ({ code }) =>
      code === 'invalid_type' ? 'expected a duration such as { minutes: 5 }' : undefined,
  },
)

/** Converts a duration to milliseconds. @throws UsageError with an issue for each invalid unit */
export function toMilliseconds(duration: Duration): number {
  const counts = Object.entries(parseOptions(durationSchema, duration, 'advance the clock'))
  return counts.reduce((sum, [unit, value]) => sum + value * units[unit as keyof Duration], 0)
}
