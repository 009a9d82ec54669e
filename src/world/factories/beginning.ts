import { unexpectedValue } from '../../usage-error.ts'
import { parseMoment } from './moments.ts'

/** What generated dates lie around when nobody says. */
export const defaultNow = '2024-06-15T12:00:00Z'

export const defaultSeed = 1

/** @throws UsageError for what is no whole number */
export function checkSeed(seed: number): number {
  if (Number.isSafeInteger(seed)) return seed
  throw unexpectedValue('generate rows', 'a whole number as the seed', seed)
}

/** Milliseconds since 1970. @throws UsageError for what is no time */
export function parseNow(now: string): number {
  const moment = typeof now === 'string' ? parseMoment(now) : Number.NaN
  if (Number.isFinite(moment)) return moment
  throw unexpectedValue(
    'generate rows',
    'an ISO 8601 time as now, such as 2024-06-15T12:00:00Z',
    now,
  )
}
