import { unexpected } from '../../usage-error.ts'
import { toMoment } from './moments.ts'

/** What generated dates lie around when nobody says. */
export const usualNow = '2024-06-15T12:00:00Z'

export const usualSeed = 1

/** @throws UsageError for what is no whole number */
export function checkedSeed(seed: number): number {
  if (Number.isSafeInteger(seed)) return seed
  throw unexpected('generate rows', 'a whole number as the seed', seed)
}

/** Milliseconds since 1970. @throws UsageError for what is no time */
export function checkedNow(now: string): number {
  const moment = typeof now === 'string' ? toMoment(now) : Number.NaN
  if (Number.isFinite(moment)) return moment
  throw unexpected('generate rows', 'an ISO 8601 time as now, such as 2024-06-15T12:00:00Z', now)
}
